(view => {
  const controls = view.querySelector(".g2c-controls"), said = view.querySelector(".g2c-said");
  const [hours, sessions] = controls.querySelectorAll("input[type=range]");
  const held = controls.querySelector("input[type=checkbox]");
  const tables = view.querySelectorAll("table");
  const choose = () => {
    tables.forEach((table, index) => { table.hidden = index !== Number(held.checked); });
    const table = tables[Number(held.checked)];
    const column = Number(hours.value) + 1, row = Number(sessions.value) + 1;
    view.querySelectorAll(".g2c-here").forEach(cell => cell.classList.remove("g2c-here"));
    const cell = table.rows[row].cells[column];
    cell.classList.add("g2c-here");
    const since = hours.parentElement.querySelector("output");
    since.value = table.rows[0].cells[column].textContent;
    sessions.parentElement.querySelector("output").value = table.rows[row].cells[0].textContent;
    const closed = cell.textContent === "dream" ? [] : cell.textContent.split("\n");
    said.textContent = closed.length
      ? `No dream. Closed: ${closed.join(", ")}.` : "All three gates are open: dream.";
  };
  controls.addEventListener("input", choose);
  controls.hidden = false;
  controls.style.display = "";
  hours.value = 5;
  sessions.value = 4;
  choose();
})(document.currentScript.parentElement);
