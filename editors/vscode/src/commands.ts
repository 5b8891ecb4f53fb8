// The commands about the document in the active editor.

import * as vscode from "vscode";
import { HoverRequest, type LanguageClient, type Position } from "vscode-languageclient/node";
import { uriOf } from "./documents";
import { isConfiguration, isOverride, paramsOf } from "./effective";
import { effectiveRequest, isPosition, placesOf, type EffectiveParams, type EffectiveResult } from "./protocol";

/** Returns the client if the server runs. Otherwise it tells the user why not. */
export type Running = () => Promise<LanguageClient | undefined>;

export function registerCommands(running: Running): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand("tofumerge.showEffective", (of?: unknown, at?: unknown) =>
      showEffective(running, of, at),
    ),
    vscode.commands.registerCommand("tofumerge.compareEffective", (of?: unknown) => compareEffective(running, of)),
    vscode.commands.registerCommand("tofumerge.explainHere", () => explainHere(running)),
    vscode.commands.registerCommand("tofumerge.showOverrides", (...args: unknown[]) => showPlaces(running, args)),
  );
}

/** The file that a command is about: its argument, or the file in the active editor. */
function subject(of: unknown): vscode.Uri | undefined {
  const uri =
    of instanceof vscode.Uri ? of
    : typeof of === "string" ? vscode.Uri.parse(of)
    : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme === "file" && isConfiguration(uri.path)) {
    return uri;
  }
  void vscode.window.showInformationMessage("Open a configuration file of a module first: .tf, .tofu, .tf.json or .tofu.json.");
  return undefined;
}

async function showEffective(running: Running, of: unknown, at: unknown): Promise<void> {
  const source = subject(of);
  const client = source === undefined ? undefined : await running();
  if (source === undefined || client === undefined) {
    return;
  }
  const position = isPosition(at) ? at : cursorIn(source, client);
  const shown = { source: source.toString(), single: false };
  const document = await vscode.workspace.openTextDocument(uriOf(shown));
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: false,
  });
  if (position === undefined) {
    return;
  }
  const params: EffectiveParams = { ...paramsOf(shown), position };
  const result = await client.sendRequest<EffectiveResult | null>(effectiveRequest, params);
  if (result?.range !== undefined) {
    const range = client.protocol2CodeConverter.asRange(result.range);
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

function cursorIn(source: vscode.Uri, client: LanguageClient): Position | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.toString() === source.toString()
    ? client.code2ProtocolConverter.asPosition(editor.selection.active)
    : undefined;
}

async function compareEffective(running: Running, of: unknown): Promise<void> {
  const source = subject(of);
  if (source === undefined || (await running()) === undefined) {
    return;
  }
  const name = vscode.workspace.asRelativePath(source);
  if (isOverride(source.path)) {
    void vscode.window.showInformationMessage(`${name} is an override file, which is merged into others. Compare a primary file.`);
    return;
  }
  const effective = uriOf({ source: source.toString(), single: true });
  await vscode.commands.executeCommand("vscode.diff", source, effective, `${name} ↔ effective`);
}

async function explainHere(running: Running): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || subject(undefined) === undefined) {
    return;
  }
  const client = await running();
  if (client === undefined) {
    return;
  }
  const hover = await client.sendRequest(
    HoverRequest.type,
    client.code2ProtocolConverter.asTextDocumentPositionParams(editor.document, editor.selection.active),
  );
  if (hover === null) {
    void vscode.window.showInformationMessage("No override touches the item at the cursor.");
    return;
  }
  await vscode.commands.executeCommand("editor.action.showHover");
}

async function showPlaces(running: Running, args: unknown[]): Promise<void> {
  const places = placesOf(args);
  const client = await running();
  if (places === undefined || client === undefined) {
    return;
  }
  const converter = client.protocol2CodeConverter;
  await vscode.commands.executeCommand(
    "editor.action.showReferences",
    converter.asUri(places.uri),
    converter.asPosition(places.position),
    places.locations.map((location) => converter.asLocation(location)),
  );
}
