// The small model: llama.cpp in WebAssembly, in a worker of its own, on the files beside this page.
import { LoggerWithoutDebug, Wllama } from "@wllama/wllama";

const FILES = ["model.gguf", "adapter.gguf"];
const KEPT = "g2c-model";

export const canWait = "Suspending" in WebAssembly;

// A file from the browser's cache, else from the site and then kept. `onBytes` gets what has come.
async function fetchKept(name, version, onBytes) {
  const url = new URL(`${name}?${version}`, location.href).href;
  const cache = await caches.open(KEPT);
  let kept = await cache.match(url);
  if (!kept) {
    for (const old of await cache.keys())
      if (old.url.split("?")[0] === url.split("?")[0]) await cache.delete(old);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${name} cannot be had: ${response.status}`);
    const counting = new TransformStream({
      transform(piece, stream) {
        onBytes(piece.byteLength);
        stream.enqueue(piece);
      },
    });
    await cache.put(url, new Response(response.body.pipeThrough(counting)));
    kept = await cache.match(url);
  }
  return kept.blob();
}

export async function loadModel({ versions, threads, nCtx, onBytes }) {
  const files = [];
  for (const name of FILES) files.push(await fetchKept(name, versions[name], onBytes));
  const wasm = new URL("wllama.wasm", location.href).href;
  const llama = new Wllama({ default: wasm }, { suppressNativeLog: true, logger: LoggerWithoutDebug });
  await llama.loadModel(files, {
    n_ctx: nCtx,
    n_threads: threads,
    n_gpu_layers: 0,
    n_parallel: 1,
    n_batch: 64, // so that the page can tell how far a long prompt is read
    lora_adapters: [{ path: "models/model-00002-of-00002.gguf" }], // wllama names the second file so
  });
  return llama;
}

// Send a request to llama.cpp's server; the pieces of its answer, of which the last may be an error.
export async function ask(llama, request, onPiece, signal) {
  const pieces = [];
  const take = (piece) => {
    pieces.push(piece);
    onPiece(piece);
  };
  const options = { ...request, stream: true, onData: take, abortSignal: signal };
  try {
    if (request.messages) await llama.createChatCompletion(options);
    else await llama.createCompletion(options);
  } catch (error) {
    if (signal.aborted) return [{ stopped: true }];
    return [...pieces, { error: { type: "refused", message: String(error.message ?? error) } }];
  }
  return pieces;
}
