// The findings of modules without an open file, in the status bar.

import * as vscode from "vscode";
import type { Middleware, vsdiag } from "vscode-languageclient/node";
import { isConfiguration } from "./effective";
import { Survey, restText } from "./survey";

export class Elsewhere implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("tofumerge.elsewhere", vscode.StatusBarAlignment.Left);
  private readonly registrations: vscode.Disposable;
  private survey = new Survey<vscode.Uri, vsdiag.WorkspaceFullDocumentDiagnosticReport>();
  private isShown = false; // by the command, in this window

  constructor(private readonly isAll: () => boolean) {
    this.item.name = "Tofumerge: findings elsewhere";
    this.item.command = "tofumerge.showElsewhere";
    const update = () => { this.update(); };
    this.registrations = vscode.Disposable.from(
      this.item, vscode.workspace.onDidOpenTextDocument(update), vscode.workspace.onDidCloseTextDocument(update),
    );
  }

  dispose(): void {
    this.registrations.dispose();
  }

  /** Lists the findings of all modules, from now on. */
  async show(): Promise<void> {
    this.isShown = true;
    this.update();
    await vscode.commands.executeCommand("workbench.actions.view.problems");
  }

  /** Passes on what the server reports on modules with an open file. The client asks every few seconds, so what a file that is opened adds follows soon. */
  middleware(): Middleware {
    const survey = this.survey = new Survey();
    return {
      provideWorkspaceDiagnostics: async (_, token, report, next) => {
        const take = (chunk: vsdiag.WorkspaceDiagnosticReportPartialResult | null | undefined) => {
          survey.take((chunk?.items ?? []) as vsdiag.WorkspaceFullDocumentDiagnosticReport[]);
        };
        take(await next(survey.results(), token, take));
        this.update();
        report({ items: survey.changes(openPaths()) });
        return { items: [] };
      },
    };
  }

  private update(): void {
    this.survey.isAll = this.isShown || this.isAll();
    const shown = restText(this.survey.rest(openPaths()));
    this.item.text = shown?.text ?? "";
    this.item.tooltip = shown?.tooltip;
    if (shown === undefined) {
      this.item.hide();
    } else {
      this.item.show();
    }
  }
}

/** The paths of the open files of modules. */
function openPaths(): string[] {
  return vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === "file" && isConfiguration(uri.path)).map(({ uri }) => uri.path);
}
