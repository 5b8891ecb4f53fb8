// Runs the program, apart from the page: the page may end it at any time.
import "wasm-exec";
import { inflated } from "./gzip";

interface GoProgram {
  importObject: WebAssembly.Imports;
  env: Record<string, string>;
  run(instance: WebAssembly.Instance): Promise<void>;
}

declare const Go: new () => GoProgram;

// What the page sends, and what it gets.
export type ToWorker =
  | { kind: "start"; url: string; program?: WebAssembly.Module }
  | { kind: "ask"; id: number; request: string };

export type FromWorker =
  | { kind: "downloaded" }
  | { kind: "loaded"; program: WebAssembly.Module }
  | { kind: "ready" }
  | { kind: "answer"; id: number; text: string }
  | { kind: "failed"; message: string };

const scope = globalThis as unknown as {
  ready: () => void;
  tofumerge: (request: string) => string;
  postMessage(message: FromWorker): void;
  onmessage: (event: MessageEvent<ToWorker>) => void;
};

async function load(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok || !response.body) {
    throw new Error(`${url}: ${response.status} ${response.statusText}`);
  }
  const program = inflated(await response.arrayBuffer());
  scope.postMessage({ kind: "downloaded" });
  return WebAssembly.compileStreaming(new Response(program, { headers: { "Content-Type": "application/wasm" } }));
}

async function start(url: string, known: WebAssembly.Module | undefined): Promise<void> {
  const program = known ?? (await load(url));
  if (!known) {
    scope.postMessage({ kind: "loaded", program });
  }
  const go = new Go();
  go.env = { GOGC: "400", GOMEMLIMIT: "1GiB" }; // most modules need little memory: time counts more
  scope.ready = () => {
    scope.postMessage({ kind: "ready" });
  };
  await go.run(await WebAssembly.instantiate(program, go.importObject));
  throw new Error("the program ended");
}

function failed(error: unknown): void {
  scope.postMessage({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
}

scope.onmessage = ({ data }) => {
  if (data.kind === "start") {
    start(data.url, data.program).catch(failed);
    return;
  }
  try {
    scope.postMessage({ kind: "answer", id: data.id, text: scope.tofumerge(data.request) });
  } catch (error) {
    failed(error);
  }
};
