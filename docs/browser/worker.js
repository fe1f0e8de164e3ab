// Python in the tab: loads it with the course and its packages, and calls g2c.course.browser.inside.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const waiting = new Map(); // the requests to the model that are not answered yet
let asked = 0;

function ask(request) {
  return new Promise((resolve) => {
    asked += 1;
    waiting.set(asked, resolve);
    postMessage({ ask: asked, request });
  });
}

async function start() {
  const packed = ["course.zip", "packages.zip"].map(async (name) => {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name} cannot be had: ${response.status}`);
    return response.arrayBuffer();
  });
  postMessage({ doing: "starting" });
  const python = await loadPyodide();
  const [course, packages] = await Promise.all(packed);
  postMessage({ doing: "unpacking the course" });
  python.unpackArchive(packages, "zip", { extractDir: "/packages" });
  python.unpackArchive(course, "zip", { extractDir: "/course" });
  postMessage({ doing: "importing the course" });
  python.globals.set("ask", ask);
  python.runPython(`
import os, sys
sys.path[:0] = ["/course", "/packages"]
os.environ["G2C_ROOT"] = "/course"
from pyodide.ffi import can_run_sync, run_sync
from g2c.course.browser import inside
from g2c.inference.embedded.browser import BrowserEngine
from g2c.inference.embedded.weights import N_CTX
inside.prepare()
engine = BrowserEngine(lambda request: run_sync(ask(request)), N_CTX)
`);
  return python;
}

const ready = start();
ready.then(
  (python) => postMessage({ ready: python.globals.get("inside").exercises() }),
  (error) => postMessage({ broken: String(error) }),
);

async function call({ id, name, args }) {
  const python = await ready;
  const inside = python.globals.get("inside");
  const tell = (event) => postMessage({ id, event });
  const give = { tell, engine: python.globals.get("engine") };
  const given = args.map((arg) => give[arg?.give] ?? (arg instanceof Uint8Array ? python.toPy(arg) : arg));
  try {
    // A promising call can wait for the model; only where the browser has JSPI there is one.
    const waits = "Suspending" in WebAssembly;
    const result = waits ? await inside[name].callPromising(...given) : inside[name](...given);
    postMessage({ id, result: result?.toJs ? result.toJs() : result });
  } catch (error) {
    postMessage({ id, error: String(error.message ?? error) });
  }
}

onmessage = ({ data }) => {
  if (data.answer) {
    waiting.get(data.answer)(data.chunks);
    waiting.delete(data.answer);
  } else call(data);
};
