// The entry of the extension: one server per window, started for the first module.

import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { State, type LanguageClient } from "vscode-languageclient/node";
import { BinaryError, commandOf, installURL, probe, programName } from "./binary";
import { refresh, selector, startClient } from "./client";
import { registerCommands } from "./commands";
import { EffectiveDocuments } from "./documents";
import { download } from "./download";
import { isIn, paramsOf, type Shown } from "./effective";
import { effectiveChanged, effectiveRequest, type EffectiveChangedParams, type EffectiveResult } from "./protocol";
import { scrollAlong } from "./scroll";
import { Elsewhere } from "./elsewhere";
import { readSettings, type Settings } from "./settings";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const started = new Server(context);
  server = started;
  context.subscriptions.push(started);
  await started.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

function settings(): Settings {
  const configuration = vscode.workspace.getConfiguration("tofumerge");
  return readSettings((name) => configuration.get(name));
}

class Server implements vscode.Disposable {
  private readonly output = vscode.window.createOutputChannel("Tofumerge", { log: true });
  private readonly documents = new EffectiveDocuments((shown, token) => this.fetch(shown, token));
  private readonly status = vscode.languages.createLanguageStatusItem("tofumerge", selector as vscode.DocumentSelector);
  private readonly elsewhere = new Elsewhere(() => settings().allModules);
  private readonly registrations: vscode.Disposable;
  private readonly told = new Set<string>();
  private client: LanguageClient | undefined;
  private failure: Error | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly context: vscode.ExtensionContext) {
    this.status.name = "Tofumerge";
    this.status.command = { title: "Show Output", command: "tofumerge.showOutput" };
    this.registrations = vscode.Disposable.from(
      this.output,
      this.documents,
      this.status,
      this.elsewhere,
      registerCommands(() => this.running()),
      scrollAlong(() => (this.client?.state === State.Running ? this.client : undefined)),
      vscode.commands.registerCommand("tofumerge.restartServer", () => this.restart()),
      vscode.commands.registerCommand("tofumerge.showElsewhere", () => this.elsewhere.show()),
      vscode.commands.registerCommand("tofumerge.showOutput", () => { this.output.show(); }),
      vscode.workspace.onDidChangeConfiguration((event) => { this.configured(event); }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.restart()),
    );
  }

  dispose(): void {
    this.registrations.dispose();
  }

  /** Starts the server. It shows each error once per window. */
  start(): Promise<void> {
    return this.inTurn(async () => {
      try {
        await this.launch();
        this.failure = undefined;
      } catch (error) {
        this.failure = error instanceof Error ? error : new Error(String(error));
        const { message } = this.failure;
        this.output.error(message);
        this.show(message);
        if (!this.told.has(message)) {
          this.told.add(message);
          void this.complain(this.failure);
        }
      }
    });
  }

  /** The programs of the extension: the one that it was packed with, and the one that it downloaded. */
  private own(): string[] {
    return [this.context.asAbsolutePath(`bin/${programName}`), path.join(this.storage(), programName)];
  }

  /** Where the program of this version of the extension is downloaded to. */
  private storage(): string {
    return path.join(this.context.globalStorageUri.fsPath, this.version());
  }

  private version(): string {
    const { version } = this.context.extension.packageJSON as { version: string };
    return version;
  }

  /** Downloads the program, and starts the server. */
  private async install(): Promise<void> {
    const title = `Downloading tofumerge ${this.version()}`;
    try {
      await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
        download(this.version(), this.storage()),
      );
    } catch (error) {
      const message = `tofumerge ${this.version()} could not be downloaded: ${error instanceof Error ? error.message : String(error)}`;
      this.output.error(message);
      void vscode.window.showErrorMessage(message);
      return;
    }
    await this.restart();
  }

  /** Shows an error, and offers what may help. */
  private async complain(error: Error): Promise<void> {
    if (error instanceof BinaryError && error.kind === "missing" && settings().path === "") {
      const fetch = "Download", install = "How to Install";
      switch (await vscode.window.showErrorMessage(error.message, fetch, install)) {
        case fetch:
          await this.install();
          break;
        case install:
          await vscode.env.openExternal(vscode.Uri.parse(installURL));
          break;
      }
      return;
    }
    await complain(error);
  }

  stop(): Promise<void> {
    return this.inTurn(async () => {
      const client = this.client;
      this.client = undefined;
      void vscode.commands.executeCommand("setContext", "tofumerge.running", false);
      if (client?.state === State.Starting) { // again, after a crash; it can be stopped once it is up
        await client.start().catch(() => undefined);
      }
      await client?.dispose().catch((error: unknown) => { this.output.warn(String(error)); }); // a crash can leave nothing to stop
    });
  }

  private async restart(): Promise<void> {
    this.told.clear();
    await this.stop();
    await this.start();
    this.documents.refresh(() => true);
  }

  /** Runs a step after all earlier ones, so that starts and stops don't overlap. */
  private inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.queue.then(step);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async launch(): Promise<void> {
    const folder = vscode.workspace.isTrusted ? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath : undefined;
    const command = commandOf(settings().path, { home: os.homedir(), folder, own: this.own() });
    await probe(command);
    this.client = await startClient(command, settings, this.output, this.elsewhere.middleware(), (client) => {
      client.onNotification(effectiveChanged, ({ directory }: EffectiveChangedParams) => {
        const { path } = vscode.Uri.parse(directory);
        this.documents.refresh((source) => isIn(source.path, path));
      });
      client.onDidChangeState(({ newState }) => {
        const isRunning = newState === State.Running;
        void vscode.commands.executeCommand("setContext", "tofumerge.running", isRunning);
        this.status.busy = newState === State.Starting;
        this.show(isRunning || newState === State.Starting ? undefined : "The language server stopped.");
        if (newState === State.StartFailed && this.client !== undefined) { // after a crash
          this.failure = new Error("The tofumerge language server crashed and doesn't start again. The output says why.");
          void this.complain(this.failure);
        }
      });
    });
  }

  /** Shows in the language status whether the server runs, and what is wrong if not. */
  private show(problem: string | undefined): void {
    this.status.text = problem === undefined ? "tofumerge" : "tofumerge isn't running";
    this.status.detail = problem ?? "";
    this.status.severity =
      problem === undefined ? vscode.LanguageStatusSeverity.Information : vscode.LanguageStatusSeverity.Error;
  }

  /** Returns the client, or tells the user why there is none and returns undefined. */
  private async running(): Promise<LanguageClient | undefined> {
    await this.queue;
    if (this.client?.state === State.Running) {
      return this.client;
    }
    void this.complain(this.reason());
    return undefined;
  }

  /** Why no server runs. */
  private reason(): Error {
    return this.failure ?? new Error("The tofumerge language server isn't running.");
  }

  private async fetch(shown: Shown, token: vscode.CancellationToken): Promise<string> {
    await this.queue;
    if (this.client?.state !== State.Running) {
      throw this.reason();
    }
    const result = await this.client.sendRequest<EffectiveResult | null>(effectiveRequest, paramsOf(shown), token);
    return result?.content ?? "";
  }

  private configured(event: vscode.ConfigurationChangeEvent): void {
    const needsRestart = ["path", "engine", "minSeverity", "redact", "detail", "fade", "droppedHints", "addedHints", "counts", "allModules"];
    if (needsRestart.some((name) => event.affectsConfiguration(`tofumerge.${name}`))) {
      void this.restart();
    } else if (this.client !== undefined && event.affectsConfiguration("tofumerge")) {
      refresh(this.client);
    }
  }
}

async function complain(error: Error): Promise<void> {
  const install = "How to Install", set = "Open Settings", output = "Show Output";
  const offers = error instanceof BinaryError ? [install, set] : [output];
  switch (await vscode.window.showErrorMessage(error.message, ...offers)) {
    case install:
      await vscode.env.openExternal(vscode.Uri.parse(installURL));
      break;
    case set:
      await vscode.commands.executeCommand("workbench.action.openSettings", "tofumerge.path");
      break;
    case output:
      await vscode.commands.executeCommand("tofumerge.showOutput");
      break;
  }
}
