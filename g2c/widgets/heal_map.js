(view => {
  const controls = view.querySelector(".g2c-controls"), said = view.querySelector(".g2c-said");
  const { kinds, maps } = JSON.parse(said.dataset.decisions);
  const sliders = [...controls.querySelectorAll("input[type=range]")];
  const [failures, recoveries, hours, flare] = sliders;
  const snapshot = controls.querySelector("input[type=checkbox]");
  const table = view.querySelector("table");
  const choose = () => {
    for (const slider of sliders)
      slider.parentElement.querySelector("output").value =
        JSON.parse(slider.dataset.labels)[slider.value];
    const flares = Number(flare.max) + 1;
    const position = (recoveries.value * flares + Number(flare.value)) * 2 + !snapshot.checked;
    const [title, rows] = maps[position];
    table.caption.textContent = title;
    rows.forEach((row, index) => row.forEach((number, column) => {
      const [action, text] = kinds[number], cell = table.rows[index + 1].cells[column + 1];
      const here = index === Number(failures.value) && column === Number(hours.value);
      cell.textContent = text;
      cell.removeAttribute("style");  // else it would win over the class
      cell.className = `g2c-gate g2c-heal-${action}${here ? " g2c-here" : ""}`;
      if (here) said.textContent = kinds[number][2];
    }));
  };
  controls.addEventListener("input", choose);
  controls.hidden = false;
  controls.style.display = "";
  choose();
})(document.currentScript.parentElement);
