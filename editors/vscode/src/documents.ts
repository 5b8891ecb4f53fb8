// The virtual documents that show effective configurations. They are read-only and follow edits.

import * as vscode from "vscode";
import { languageOf, partsOf, scheme, shownBy, type Shown } from "./effective";
import { originsIn } from "./origins";

/** Fetches an effective configuration. The message of its error is shown instead. */
export type Fetch = (shown: Shown, token: vscode.CancellationToken) => Promise<string>;

export class EffectiveDocuments
  implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider, vscode.Disposable
{
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registrations: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  constructor(private readonly fetch: Fetch) {
    this.registrations = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.languages.registerDocumentLinkProvider({ scheme }, this),
      vscode.workspace.onDidOpenTextDocument((document) => void colour(document)),
    );
  }

  dispose(): void {
    this.registrations.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const shown = shownBy(uri.query);
    if (shown === undefined) {
      return "";
    }
    try {
      return await this.fetch(shown, token);
    } catch (error) {
      const comment = vscode.Uri.parse(shown.source).path.endsWith(".json") ? "//" : "#";
      const message = error instanceof Error ? error.message : String(error);
      return message.split("\n").map((line) => `${comment} ${line}\n`).join("");
    }
  }

  /** Links each mark to the lines that it names. */
  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const shown = shownBy(document.uri.query);
    if (shown === undefined) {
      return [];
    }
    const source = vscode.Uri.parse(shown.source);
    const links: vscode.DocumentLink[] = [];
    for (let line = 0; line < document.lineCount; line++) {
      for (const origin of originsIn(document.lineAt(line).text)) {
        const target = vscode.Uri.joinPath(source, "..", origin.file).with({ fragment: `L${String(origin.line)}` });
        links.push(new vscode.DocumentLink(new vscode.Range(line, origin.start, line, origin.end), target));
      }
    }
    return links;
  }

  /** Updates the documents whose source matches. */
  refresh(matches: (source: vscode.Uri) => boolean): void {
    for (const document of vscode.workspace.textDocuments) {
      const shown = document.uri.scheme === scheme ? shownBy(document.uri.query) : undefined;
      if (shown !== undefined && matches(vscode.Uri.parse(shown.source))) {
        this.changed.fire(document.uri);
      }
    }
  }
}

/** The URI of the virtual document that shows it. */
export function uriOf(shown: Shown): vscode.Uri {
  return vscode.Uri.from(partsOf(shown, vscode.Uri.parse(shown.source).path));
}

/** Gives a virtual document its language, which is often that of its source, whichever extension defines it. */
async function colour(document: vscode.TextDocument): Promise<void> {
  const shown = document.uri.scheme === scheme ? shownBy(document.uri.query) : undefined;
  if (shown === undefined) {
    return;
  }
  try {
    const source = await vscode.workspace.openTextDocument(vscode.Uri.parse(shown.source));
    const language = languageOf(shown, source.languageId);
    if (language !== document.languageId) {
      await vscode.languages.setTextDocumentLanguage(document, language);
    }
  } catch {
    // The source is gone. Its effective configuration says so.
  }
}
