// The language client: which documents it is for, and which features the settings switch off.

import * as vscode from "vscode";
import {
  CloseAction,
  CodeLensRequest,
  DynamicFeature,
  ErrorAction,
  InlayHintRequest,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  TextDocumentContentRequest,
  type DocumentFilter,
  type LanguageClientOptions,
  type Middleware,
  type StaticFeature,
} from "vscode-languageclient/node";
import { workingDirectory } from "./binary";
import { initializationOptions, type Settings } from "./settings";

/**
 * The files of modules, by name. Their language depends on which other extensions are installed;
 * without any, they are plain text.
 */
export const selector: DocumentFilter[] = [{ scheme: "file", pattern: "**/*.{tf,tofu,tf.json,tofu.json}" }];

/** The settings of modules, and the files that choose their engine. Their text counts before it is saved. */
const settingsFiles: DocumentFilter = { scheme: "file", pattern: "**/{.tofumerge.hcl,.opentofu-version,.terraform-version,.tool-versions}" };

/** Starts a server, and fails if it doesn't start. The client reads the settings whenever it needs them. */
export async function startClient(
  command: string,
  settings: () => Settings,
  output: vscode.LogOutputChannel,
  middleware: Middleware,
  prepare: (client: LanguageClient) => void,
): Promise<LanguageClient> {
  // The caller reports a server that doesn't start, also after a crash: the client, which would
  // quote streams and error codes, keeps quiet while the server isn't up.
  let isUp = false;

  class Client extends LanguageClient {
    override error(message: string, data?: unknown, showNotification?: boolean | "force"): void {
      super.error(message, data, isUp ? showNotification : false);
    }

    override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
      // The extension itself provides the documents with effective configurations.
      if (!DynamicFeature.is<unknown>(feature) || feature.registrationType.method !== TextDocumentContentRequest.method) {
        super.registerFeature(feature);
      }
    }
  }

  const client = new Client(
    "tofumerge",
    "Tofumerge",
    { command, args: ["lsp"], options: { cwd: workingDirectory } },
    clientOptions(settings, output, middleware),
  );
  const standard = client.createDefaultErrorHandler();
  client.clientOptions.errorHandler = {
    error: (error, message, count) =>
      isUp ? standard.error(error, message, count) : { action: ErrorAction.Shutdown, handled: true },
    closed: async () => {
      if (!isUp) {
        return { action: CloseAction.DoNotRestart, handled: true };
      }
      const next = await standard.closed();
      isUp = next.action !== CloseAction.Restart;
      return next;
    },
  };
  client.onDidChangeState(({ newState }) => { isUp ||= newState === State.Running; });
  prepare(client);
  try {
    await client.start();
  } catch (error) {
    await client.dispose().catch(() => undefined); // fails because the client never started
    throw new Error("The tofumerge language server didn't start. The output says why.", { cause: error });
  }
  return client;
}

function clientOptions(settings: () => Settings, output: vscode.LogOutputChannel, middleware: Middleware): LanguageClientOptions {
  return {
    documentSelector: [...selector, settingsFiles],
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    initializationOptions: () => initializationOptions(settings()),
    middleware: {
      ...middleware,
      workspace: { configuration: ({ items }) => items.map(() => initializationOptions(settings())) },
      provideInlayHints: (document, range, token, next) =>
        settings().inlayHints ? next(document, range, token) : [],
      provideCodeLenses: (document, token, next) => (settings().codeLens ? next(document, token) : []),
    },
  };
}

/** Makes VS Code ask for inlay hints and code lenses again. */
export function refresh(client: LanguageClient): void {
  for (const document of vscode.workspace.textDocuments) {
    client.getFeature(InlayHintRequest.method).getProvider(document)?.onDidChangeInlayHints.fire();
    client.getFeature(CodeLensRequest.method).getProvider(document)?.onDidChangeCodeLensEmitter.fire();
  }
}
