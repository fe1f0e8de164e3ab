// The page: an editor, the tests, the agent. Python and the model are in workers of their own.
import { python } from "@codemirror/lang-python";
import { indentUnit, syntaxHighlighting } from "@codemirror/language";
import { keymap } from "@codemirror/view";
import { EditorState, Prec } from "@codemirror/state";
import { classHighlighter } from "@lezer/highlight";
import { basicSetup, EditorView } from "codemirror";
import { ask, canWait, loadModel } from "./model.js";

const WORK = "g2c-work"; // the student's files by their path, as JSON
const CHOSEN = "g2c-chosen"; // the id of the exercise that was chosen last
const GREEN = "g2c-green"; // the ids of the exercises whose tests passed last time
const SILENCE_MS = 20_000; // tests take a second; who is silent for this long does not end
const MAX_SHOWN = 3; // nobody reads more failures at once
const N_CTX = 8192;

const at = (id) => document.getElementById(id);
const make = (tag, text, className = "") =>
  Object.assign(document.createElement(tag), { textContent: text ?? "", className });

// A private window may refuse to store, a disk may be full, and what is stored may be damaged.
function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    at("work-state").textContent = "This browser does not keep your work. Download it before you close the tab.";
  }
}

let exercises = [];
let current;
let work = read(WORK, {});
let green = new Set(read(GREEN, []));

// ---- Python ----

let worker;
let calls = new Map();
let called = 0;
let llama; // the model, as soon as it is there
let answering; // stops the answer that the model is giving
let reading; // stops what the model reads before it is asked

function startPython() {
  worker?.terminate();
  for (const { reject } of calls.values()) reject(new Error("stopped"));
  calls = new Map();
  say("python", "loading");
  worker = new Worker(new URL("worker.js", location.href), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => {
      if (data.doing) say("python", data.doing);
      else if (data.ready) resolve(JSON.parse(data.ready));
      else if (data.broken) reject(new Error(data.broken));
      else if (data.ask) answer(data);
      else settle(data);
    };
  });
}

function settle({ id, event, result, error }) {
  const call = calls.get(id);
  if (event) return call?.onEvent(JSON.parse(event));
  calls.delete(id);
  if (error === undefined) call?.resolve(result);
  else call?.reject(new Error(error));
}

function callPython(name, args, onEvent = () => {}) {
  called += 1;
  worker.postMessage({ id: called, name, args });
  return new Promise((resolve, reject) => calls.set(called, { resolve, reject, onEvent }));
}

// The instructions are most of a prompt. Whoever asks before they are read finds a part of them read.
async function readAhead() {
  const prompt = await callPython("instructions", []);
  const request = { prompt, n_predict: 1, return_progress: true };
  const show = ({ prompt_progress: read }) =>
    read && say("model", `ready; reads the instructions: ${read.processed} of ${read.total} tokens`, read.processed / read.total);
  reading = new AbortController();
  reading.done = ask(llama, request, show, reading.signal).then(showReady);
}

async function answer({ ask: number, request }) {
  answering = new AbortController();
  reading?.abort();
  await reading?.done;
  const chunks = await ask(llama, JSON.parse(request), showPiece, answering.signal);
  answering = undefined;
  worker.postMessage({ answer: number, chunks: JSON.stringify(chunks) });
}

function say(who, text, fraction) {
  at(`${who}-state`).textContent = text;
  const bar = at(`${who}-progress`);
  bar.hidden = fraction === null;
  if (fraction > 0) bar.value = fraction;
  else bar.removeAttribute("value");
}

async function withPython() {
  try {
    exercises = await startPython();
    say("python", "ready", null);
  } catch (error) {
    say("python", `could not be loaded: ${error.message}`, null);
    throw error;
  }
}

// ---- the editor and the exercise ----

const extensions = [
  Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (runTests(), true) }])),
  basicSetup,
  python(),
  indentUnit.of("    "),
  syntaxHighlighting(classHighlighter),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ "aria-label": "your function" }),
  EditorView.updateListener.of((update) => update.docChanged && keep()),
];
const editor = new EditorView({ parent: at("editor"), extensions });

function keep() {
  const text = editor.state.doc.toString();
  work = { ...work, ...read(WORK, {}) }; // another tab may have written other files
  if (text === current.text) delete work[current.file];
  else work[current.file] = text;
  store(WORK, work);
  showWhose();
}

function setText(text) {
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
}

function showChooser() {
  const asked = new URLSearchParams(location.search).get("exercise");
  const known = [current?.id, asked, read(CHOSEN), exercises[0].id];
  const chosen = known.find((id) => exercises.some((one) => one.id === id));
  at("exercise").replaceChildren();
  for (const module of new Set(exercises.map((one) => one.id.split(".")[0]))) {
    const group = Object.assign(document.createElement("optgroup"), { label: `Module ${module}` });
    for (const one of exercises.filter((one) => one.id.split(".")[0] === module)) {
      const mark = green.has(one.id) ? " ✓" : one.not_here ? " (not in a tab)" : "";
      group.append(new Option(`${one.id} ${one.title}${mark}`, one.id));
    }
    at("exercise").append(group);
  }
  at("exercise").value = chosen;
}

async function choose(id) {
  current = exercises.find((one) => one.id === id);
  store(CHOSEN, current.id);
  history.replaceState(null, "", `?exercise=${current.id}`); // the address leads here again
  at("file").textContent = current.file;
  at("hints").replaceChildren();
  at("results").replaceChildren(...(current.not_here ? [make("p", current.not_here)] : []));
  at("test").disabled = Boolean(current.not_here);
  // A state of its own: undo does not bring one exercise's text into another's file.
  editor.setState(EditorState.create({ doc: work[current.file] ?? current.text, extensions }));
  const body = editor.state.doc.toString().indexOf("raise NotImplementedError");
  if (body > 0) editor.dispatch({ selection: { anchor: body }, effects: EditorView.scrollIntoView(body, { y: "end" }) });
  showWhose();
  await showLesson();
}

async function showLesson() {
  const shown = current;
  const url = new URL(`../${shown.lesson.replace(/\.md$/, ".html")}`, location.href);
  const place = at("lesson").querySelector("div");
  const text = await fetch(url).then((response) => response.text(), () => ""); // no network
  const page = new DOMParser().parseFromString(text, "text/html");
  if (shown !== current) return; // another exercise was chosen while this page came
  const section = page.querySelector("article > section");
  if (!section) return place.replaceChildren(make("p", `The lesson cannot be had: ${url}`, "failure"));
  for (const link of section.querySelectorAll("a.headerlink, .to-tab")) link.remove();
  for (const [selector, name] of [["[href]", "href"], ["[src]", "src"]])
    for (const one of section.querySelectorAll(selector))
      one[name] = new URL(one.getAttribute(name), url).href;
  const whole = Object.assign(make("a", "This page in the lesson"), { href: url });
  place.replaceChildren(section, whole);
  place.scrollTop = at("reading").scrollTop = 0;
}

function showWhose() {
  const yours = exercises.filter((one) => one.file in work && one.id.startsWith("19."));
  const names = yours.map((one) => one.name).join(", ");
  at("whose").textContent = names
    ? `It stands on your ${names}. The reference stands in for what you have not begun.`
    : "You have not begun, so all its functions are the reference's. Change one, and it is yours.";
}

// ---- tests ----

async function runTests() {
  if (at("test").disabled) return;
  at("test").disabled = true;
  at("results").replaceChildren(make("p", "running"));
  let test = "importing your file";
  const id = current.id;
  const giveUp = async () => {
    await withPython();
    if (id === current.id) showTrouble(`This did not end: ${test}. Is there a loop that nothing ends?`);
  };
  let patience = setTimeout(giveUp, SILENCE_MS);
  try {
    const run = await callPython("run_tests", [JSON.stringify(work), id, { give: "tell" }], (event) => {
      test = event.test.split("::").at(-1).replaceAll("_", " ");
      clearTimeout(patience);
      patience = setTimeout(giveUp, SILENCE_MS);
    });
    showRun(id, JSON.parse(run));
  } catch (error) {
    if (id === current.id && error.message !== "stopped") showTrouble(error.message);
  } finally {
    clearTimeout(patience);
    at("test").disabled = Boolean(current.not_here);
  }
}

function showTrouble(text) {
  at("results").replaceChildren(make("pre", text, "failure"));
}

function showRun(id, run) {
  if (id === current.id) showResults(run); // and not under another that was chosen meanwhile
  if (run.passed) green.add(id);
  else green.delete(id);
  store(GREEN, [...green]);
  showChooser();
}

function showResults(run) {
  const failures = run.results.filter((one) => !one.passed);
  const passed = run.results.length - failures.length;
  const title = make("p", run.passed ? `All ${passed} tests pass.` : "", "verdict green");
  if (!run.passed) {
    title.className = "verdict red";
    title.textContent = `${passed} of ${run.results.length} tests pass.`;
  }
  at("results").replaceChildren(title);
  if (run.trouble) at("results").append(make("pre", run.trouble, "failure"));
  const alike = [...Map.groupBy(failures, (one) => one.rows.meaning ?? one.sentence).values()];
  for (const [first, ...others] of alike.slice(0, MAX_SHOWN)) {
    const box = Object.assign(make("details", "", "failure"), { open: first === failures[0] });
    const rows = make("dl");
    for (const [name, text] of Object.entries(first.rows)) rows.append(make("dt", name), make("dd", text));
    const more = others.length ? ` (and ${others.length} more)` : "";
    box.append(make("summary", first.sentence + more), rows);
    at("results").append(box);
  }
  const left = failures.length - alike.slice(0, MAX_SHOWN).flat().length;
  if (left) at("results").append(make("p", `${left} more fail. Mend these first.`, "rate"));
}

// ---- the agent ----

let live; // where the step that the model is writing stands

function showPiece(piece) {
  const { processed, total } = piece.prompt_progress ?? {};
  const timings = piece.timings;
  if (total) live.rate.textContent = `reading the prompt: ${processed} of ${total} tokens`;
  live.text.textContent += (piece.choices ?? []).map((one) => one.text ?? "").join("");
  if (live.text.textContent && !timings) {
    live.tokens += 1;
    live.began ??= performance.now();
    const seconds = (performance.now() - live.began) / 1000;
    if (seconds > 0.5) live.rate.textContent = `${(live.tokens / seconds).toFixed(1)} tokens/s`;
  }
}

function showLive() {
  const box = make("div", "", "step live");
  live = { box, text: make("pre"), rate: make("p", "", "rate"), tokens: 0 };
  box.append(live.text, live.rate);
  at("steps").append(box);
}

function showStep(event) {
  live?.box.remove();
  if (event.question) at("steps").append(make("h3", event.question));
  else {
    const box = make("dl", "", "step");
    const rows = { Thought: event.thought, Action: event.action, Observation: event.observation };
    rows["Not read"] = event.parse_error;
    rows["Final answer"] = event.final_answer;
    for (const [name, text] of Object.entries(rows))
      if (text) box.append(make("dt", name), make("dd", text, name.replace(" ", "-").toLowerCase()));
    at("steps").append(box);
    const { tokens, generate_ms: ms, cache_n: kept, prompt_n: fresh } = event.call ?? {};
    const prompt = `${fresh} prompt tokens read, ${kept} from the cache`;
    if (ms) at("steps").append(make("p", `${prompt}; ${tokens} written, ${((tokens / ms) * 1000).toFixed(1)} a second`, "rate"));
  }
  showLive();
}

async function runAgent(name, args) {
  const buttons = [at("run"), at("replay"), at("test")];
  const before = buttons.map((button) => button.disabled);
  for (const button of buttons) button.disabled = true;
  at("stop").disabled = false;
  at("steps").replaceChildren();
  let end;
  try {
    const ended = JSON.parse(await callPython(name, args, showStep));
    end = ended.error ?? `stopped: ${ended.stopped}`;
  } catch (error) {
    const isStop = /stopped|KeyboardInterrupt/.test(error.message);
    end = isStop ? "You stopped it." : error.message.trim().split("\n").at(-1);
  }
  live?.box.remove();
  at("steps").append(make("p", end, "end"));
  buttons.forEach((button, number) => (button.disabled = before[number]));
  at("run").disabled = !llama;
  at("stop").disabled = true;
}

at("ask").onsubmit = (event) => {
  event.preventDefault();
  const question = at("question").value.trim();
  if (!question || at("run").disabled) return;
  const settings = [question, at("plan").checked, { give: "engine" }, { give: "tell" }];
  runAgent("run_agent", [JSON.stringify(work), ...settings]);
};
at("replay").onclick = () => runAgent("replay", [JSON.stringify(work), { give: "tell" }]);
at("stop").onclick = async () => {
  if (answering) answering.abort();
  else await withPython(); // Python computes, and only a new one listens
};

// ---- the work ----

at("download").onclick = async () => {
  const packed = await callPython("pack", [JSON.stringify(work)]);
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([packed], { type: "application/zip" }));
  link.download = "g2c-work.zip";
  link.click();
  URL.revokeObjectURL(link.href);
};
at("upload").onchange = async () => {
  const [file] = at("upload").files;
  try {
    const files = JSON.parse(await callPython("unpack", [new Uint8Array(await file.arrayBuffer())]));
    work = { ...work, ...read(WORK, {}), ...files };
    at("work-state").textContent = `${Object.keys(files).length} of your files are here now.`;
    store(WORK, work);
    await choose(current.id);
  } catch (error) {
    at("work-state").textContent = error.message.trim().split("\n").at(-1).replace(/^\w+: /, "");
  }
  at("upload").value = "";
};
at("exercise").onchange = () => choose(at("exercise").value);
at("test").onclick = runTests;
at("hint").onclick = () => {
  const shown = at("hints").children.length;
  if (shown < current.hints.length) at("hints").append(make("p", current.hints[shown]));
};
at("reset").onclick = () => {
  if (confirm(`Put the stub of ${current.name} back? What you wrote here is lost.`)) setText(current.text);
};

// ---- loading ----

async function withModel() {
  if (!canWait)
    return say("model", "cannot run: this browser lacks WebAssembly's JSPI, with which Python waits for the model. Chrome and Edge have it. Tests and the recorded run work here.", null);
  const { versions, bytes } = await (await fetch("model.json")).json();
  const threads = crossOriginIsolated ? Math.max(1, Math.floor(navigator.hardwareConcurrency / 2)) : 1;
  const megabytes = (count) => Math.round(count / 1e6);
  let come = 0;
  const onBytes = (count) => {
    come += count;
    say("model", come < bytes ? `${megabytes(come)} of ${megabytes(bytes)} MB` : "starting", come / bytes);
  };
  say("model", "from the cache");
  try {
    llama = await loadModel({ versions, threads, nCtx: N_CTX, onBytes });
  } catch (error) {
    return say("model", `could not be loaded: ${error.message}`, null);
  }
  showReady();
  at("run").disabled = at("replay").disabled;
  await readAhead();
}

function showReady() {
  const threads = llama.getNumThreads();
  say("model", `ready, ${threads} ${threads > 1 ? "threads" : "thread"}`, null);
}

await withPython();
document.querySelector("main").hidden = false;
showChooser();
choose(at("exercise").value);
await withModel();
