// Scrolls effective configurations with the files beside them.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { isIn, paramsOf, scheme, shownBy } from "./effective";
import { effectiveRequest, type EffectiveParams, type EffectiveResult } from "./protocol";

/** How long a file has to rest before its effective configuration follows, in milliseconds. */
const rest = 60;

/** Shows in each visible effective configuration of a module what the top of a file of it is there. */
export function scrollAlong(client: () => LanguageClient | undefined): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  let latest = 0;
  const subscription = vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
    const source = textEditor.document.uri;
    const top = visibleRanges[0]?.start;
    if (source.scheme !== "file" || top === undefined || textEditor !== vscode.window.activeTextEditor) {
      return; // an effective configuration that is scrolled itself leaves the file where it is
    }
    clearTimeout(timer);
    timer = setTimeout(() => void follow(source, top, ++latest), rest);
  });

  async function follow(source: vscode.Uri, top: vscode.Position, request: number): Promise<void> {
    const running = client();
    for (const editor of vscode.window.visibleTextEditors) {
      const shown = editor.document.uri.scheme === scheme ? shownBy(editor.document.uri.query) : undefined;
      if (running === undefined || shown === undefined || shown.single) {
        continue;
      }
      const directory = vscode.Uri.joinPath(vscode.Uri.parse(shown.source), "..");
      if (!isIn(source.path, directory.path)) {
        continue;
      }
      const params: EffectiveParams = { ...paramsOf(shown), textDocument: { uri: source.toString() }, position: top };
      const result = await running.sendRequest<EffectiveResult | null>(effectiveRequest, params).catch(() => null);
      if (result?.range !== undefined && request === latest) {
        editor.revealRange(running.protocol2CodeConverter.asRange(result.range), vscode.TextEditorRevealType.AtTop);
      }
    }
  }

  return vscode.Disposable.from(subscription, { dispose: () => { clearTimeout(timer); } });
}
