(view => {
  const { runs, plateaus, labels, colours } = JSON.parse(view.querySelector("[data-curves]").dataset.curves);
  const controls = view.querySelector(".g2c-curve-controls"), said = view.querySelector(".g2c-said");
  const chart = view.querySelector(".g2c-curves");
  const rows = [...view.querySelectorAll("table.g2c-table tbody tr")];
  const DUST = 1e-9;

  const settings = () => Object.fromEntries([...controls.querySelectorAll("input")].map(
    input => [input.dataset.rule, Number(input.value)]));

  const stopOf = (index, { s_min, floor, price }) => {
    const run = runs[index], totals = run.map(one => one.total);
    for (let round = 1; round <= run.length; round++) {
      const { total, means, approvals, reviewers } = run[round - 1];
      const bars = total >= s_min - DUST
        && Object.values(means).every(mean => mean >= floor - DUST);
      if (bars && reviewers > 0 && approvals === reviewers)
        return { totals, round, reason: "converged" };
      if (plateaus[price][index][round - 1]) return { totals, round, reason: "plateau" };
    }
    return { totals, round: run.length, reason: "max_rounds" };
  };

  const rowOf = (run, { totals, round, reason }) => {
    const { means, approvals, reviewers } = run[round - 1];
    const [name, mean] = Object.entries(means).reduce((a, b) => (b[1] < a[1] ? b : a));
    return [round, reason, totals[round - 1].toFixed(1), `${name} ${mean.toFixed(1)}`,
      `${approvals} of ${reviewers}`].map(String);
  };

  const draw = (stops, { s_min }) => {
    const most = Math.max(...runs.map(run => run.length));
    const low = 25 * Math.floor(Math.min(s_min, ...stops.flatMap(one => one.totals)) / 25);
    const scale = 270 / Math.max(25, 100 - low);
    const x = round => 40 + (round - 1) * 570 / Math.max(1, most - 1);
    const y = score => 290 - scale * (score - low);
    const parts = [];
    const add = (name, attributes, text = "") => {
      const part = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const key in attributes) part.setAttribute(key, attributes[key]);
      part.textContent = text;
      parts.push(part);
    };
    const write = (text, left, top, anchor) =>
      add("text", { x: left, y: top, "text-anchor": anchor }, text);
    const line = (kind, score) =>
      add("line", { class: kind, x1: x(1), x2: x(most), y1: y(score), y2: y(score) });
    for (let score = low; score <= 100; score += 25) {
      line("g2c-axis", score);
      write(score, 32, y(score) + 4, "end");
    }
    for (let round = 1; round <= most; round++) write(round, x(round), 310, "middle");
    line("g2c-bar-line", s_min);
    write(`s_min ${s_min}`, 44, y(s_min) - 5, "start");
    stops.forEach(({ totals, round }, index) => {
      const points = totals.map((total, at) => `${x(at + 1)},${y(total)}`);
      const stroke = colours[index % colours.length];
      add("polyline", { class: "g2c-after", stroke, points: points.slice(round - 1).join(" ") });
      add("polyline", { class: "g2c-run", stroke, points: points.slice(0, round).join(" ") });
      totals.forEach((total, at) =>
        write("●■▲◆▼"[index % 5], x(at + 1), y(total) + 4, "middle"));
      add("circle", { class: "g2c-stop", cx: x(round), cy: y(totals[round - 1]), r: 11 });
      const isLong = labels[index].length > 10, last = y(totals.at(-1));
      write(labels[index], x(totals.length) + 12, isLong ? last - 14 : last + 4, isLong ? "end" : "start");
    });
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 700 320");
    svg.append(...parts);
    chart.replaceChildren(svg);
  };

  const decide = () => {
    const now = settings();
    const stops = runs.map((_, index) => stopOf(index, now));
    draw(stops, now);
    controls.querySelectorAll("label").forEach(label => {
      label.querySelector("output").value = now[label.querySelector("input").dataset.rule];
    });
    return runs.map((run, index) => rowOf(run, stops[index]));
  };
  const cells = row => [...row.cells].slice(1);
  const other = decide().flatMap((row, index) => {
    const theirs = cells(rows[index]).map(cell => cell.textContent);
    return row[0] === theirs[0] && row[1] === theirs[1] ? [] : [
      `${labels[index]}: ${row[1]} in round ${row[0]}`];
  });
  if (other.length)
    said.textContent = `The script decides otherwise than your functions: ${other.join(", ")}.`;
  controls.addEventListener("input", () => {
    said.textContent = "";
    decide().forEach((row, index) =>
      cells(rows[index]).forEach((cell, at) => { cell.textContent = row[at]; }));
  });
  controls.hidden = false;
  controls.style.display = "";
})(document.currentScript.parentElement);
