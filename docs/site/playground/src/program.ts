// The program in its worker: one request at a time, each with a time limit. A request that takes
// longer, or that somebody stops, ends the worker, and the next request starts another one.
import type { Answer, Request } from "./protocol";
import type { FromWorker, ToWorker } from "./worker";

export class Stopped extends Error {}

interface Pending {
  id: number;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
  timer: number;
}

export class Program {
  private worker: Worker | undefined;
  private ready: Promise<void> | undefined;
  private compiled: WebAssembly.Module | undefined;
  private pending: Pending | undefined;
  private abandon: ((error: Error) => void) | undefined;
  private lastId = 0;

  constructor(
    private readonly url: string,
    private readonly limit: number, // milliseconds
  ) {}

  /** Starts the program ahead of the first request. */
  start(): Promise<void> {
    this.ready ??= new Promise((resolve, reject) => {
      const worker = new Worker(new URL("worker.js", document.baseURI));
      this.worker = worker;
      this.abandon = reject;
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        this.receive(data, resolve);
      };
      worker.onerror = (event) => {
        this.end(new Error(event.message || "the worker can't be loaded"));
      };
      const message: ToWorker = { kind: "start", url: this.url };
      worker.postMessage(this.compiled ? { ...message, program: this.compiled } : message);
    });
    return this.ready;
  }

  private receive(data: FromWorker, started: () => void): void {
    switch (data.kind) {
      case "downloaded":
        performance.mark("downloaded");
        return;
      case "loaded":
        performance.mark("compiled");
        this.compiled = data.program;
        return;
      case "ready":
        performance.mark("ready");
        started();
        return;
      case "failed":
        this.end(new Error(`The program failed: ${data.message}`));
        return;
      case "answer":
        if (this.pending?.id === data.id) {
          const { resolve, timer } = this.pending;
          clearTimeout(timer);
          this.pending = undefined;
          resolve(JSON.parse(data.text) as Answer);
        }
    }
  }

  /** Asks once the program runs. The caller waits for one answer before it asks again. */
  async ask(request: Request): Promise<Answer> {
    await this.start();
    return new Promise((resolve, reject) => {
      const id = ++this.lastId;
      const timer = setTimeout(() => {
        this.end(new Stopped(`Stopped after ${this.limit / 1000} seconds. The module is too large for the playground; use the program itself.`));
      }, this.limit);
      this.pending = { id, resolve, reject, timer };
      const message: ToWorker = { kind: "ask", id, request: JSON.stringify(request) };
      this.worker?.postMessage(message);
    });
  }

  /** Stops the current request. */
  stop(): void {
    this.end(new Stopped("Stopped. Edit a file to run again."));
  }

  private end(error: Error): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.ready = undefined;
    this.abandon?.(error);
    this.abandon = undefined;
    const pending = this.pending;
    this.pending = undefined;
    if (pending) {
      clearTimeout(pending.timer);
      pending.reject(error);
    }
  }
}
