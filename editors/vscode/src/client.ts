// The language client: which documents it attaches to, and what the settings leave out.

import * as vscode from "vscode";
import {
  CodeLensRequest,
  DynamicFeature,
  InlayHintRequest,
  LanguageClient,
  RevealOutputChannelOn,
  SemanticTokensRegistrationType,
  TextDocumentContentRequest,
  type DocumentFilter,
  type LanguageClientOptions,
  type StaticFeature,
} from "vscode-languageclient/node";
import { workingDirectory } from "./binary";
import { initializationOptions, type Settings } from "./settings";

/**
 * The files of modules, by name: which language they are in is up to the extensions that
 * define one, and without any of them they are plain text.
 */
export const selector: DocumentFilter[] = [{ scheme: "file", pattern: "**/*.{tf,tofu,tf.json,tofu.json}" }];

/** A client for a server that isn't started yet. The settings are asked for whenever they count. */
export function newClient(command: string, settings: () => Settings, output: vscode.LogOutputChannel): LanguageClient {
  // VS Code asks one provider of semantic tokens per document. That may be another extension's,
  // so a provider that has nothing to say must not be there. Documents with effective
  // configurations are provided by this extension.
  const without: string[] = [
    TextDocumentContentRequest.method,
    ...(settings().semanticTokens ? [] : [SemanticTokensRegistrationType.method]),
  ];

  class Client extends LanguageClient {
    override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
      if (!DynamicFeature.is<unknown>(feature) || !without.includes(feature.registrationType.method)) {
        super.registerFeature(feature);
      }
    }
  }

  return new Client(
    "tofumerge",
    "Tofumerge",
    { command, args: ["lsp"], options: { cwd: workingDirectory } },
    clientOptions(settings, output),
  );
}

function clientOptions(settings: () => Settings, output: vscode.LogOutputChannel): LanguageClientOptions {
  return {
    documentSelector: selector,
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: () => initializationOptions(settings()),
    middleware: {
      provideInlayHints: (document, range, token, next) =>
        settings().inlayHints ? next(document, range, token) : [],
      provideCodeLenses: (document, token, next) => (settings().codeLens ? next(document, token) : []),
    },
  };
}

/** Has VS Code ask for inlay hints and code lenses again. */
export function refresh(client: LanguageClient): void {
  for (const document of vscode.workspace.textDocuments) {
    client.getFeature(InlayHintRequest.method).getProvider(document)?.onDidChangeInlayHints.fire();
    client.getFeature(CodeLensRequest.method).getProvider(document)?.onDidChangeCodeLensEmitter.fire();
  }
}
