
(view => {
  const slider = view.querySelector("input"), number = view.querySelector("output");
  const prompts = view.querySelectorAll("details");
  const choose = () => {
    number.value = slider.value;
    prompts.forEach((prompt, index) => {
      prompt.open = index + 1 === Number(slider.value);
      prompt.hidden = !prompt.open;
      const text = prompt.querySelector("pre");
      text.scrollTop = text.scrollHeight;
    });
  };
  slider.addEventListener("input", choose);
  slider.parentElement.hidden = prompts.length < 2;
  slider.parentElement.style.display = "";
  choose();
})(document.currentScript.parentElement);
