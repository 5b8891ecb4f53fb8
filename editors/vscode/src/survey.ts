// The findings of the whole workspace. Those of modules without an open file are counted, and listed on
// request: a folder would otherwise open with all its old findings.

import { posix } from "node:path";

/** A file: its URI, of which only the path and the text matter. */
interface Place {
  path: string;
  toString(): string;
}

/** What the server reports on a file, as the client's library passes it on. */
interface Report<P extends Place> {
  uri: P;
  kind: string;
  items?: readonly { severity: number }[];
  resultId?: string;
}

/** The severity of what only fades text; it isn't listed. */
const hint = 3;

export class Survey<P extends Place, R extends Report<P>> {
  private readonly known = new Map<string, R>(); // reports with findings
  private readonly listed = new Map<string, R>(); // what the editor lists of them
  /** Whether the findings of all modules are listed. */
  isAll = false;

  /** Takes reports of the server. One that is unchanged is known. */
  take(reports: readonly R[]): void {
    for (const report of reports) {
      const uri = report.uri.toString();
      if (report.items === undefined) continue;
      if (report.items.length > 0) this.known.set(uri, report);
      else this.known.delete(uri);
    }
  }

  /** The results that are known, which the server doesn't repeat. */
  results(): { uri: P; value: string }[] {
    return [...this.known.values()].flatMap(({ uri, resultId }) => (resultId === undefined ? [] : [{ uri, value: resultId }]));
  }

  /** What changes in the editor's list, if files with these paths are open: reports, and empty ones of files that leave it. */
  changes(open: readonly string[]): R[] {
    const changed: R[] = [];
    for (const [uri, report] of this.listed) {
      if (!this.known.has(uri) || !this.isListed(report, open)) {
        this.listed.delete(uri);
        changed.push({ ...report, items: [], resultId: undefined });
      }
    }
    for (const [uri, report] of this.known) {
      if (this.isListed(report, open) && this.listed.get(uri) !== report) {
        this.listed.set(uri, report);
        changed.push(report);
      }
    }
    return changed;
  }

  /** How many findings of how many modules aren't listed, if files with these paths are open. */
  rest(open: readonly string[]): { findings: number; modules: number } {
    const rest = [...this.known.values()].filter((report) => !this.isListed(report, open))
      .flatMap(({ uri, items }) => (items ?? []).filter(({ severity }) => severity !== hint).map(() => posix.dirname(uri.path)));
    return { findings: rest.length, modules: new Set(rest).size };
  }

  private isListed(report: R, open: readonly string[]): boolean {
    const directory = posix.dirname(report.uri.path);
    return this.isAll || open.some((path) => posix.dirname(path) === directory);
  }
}

/** What the status bar shows of them; undefined if there is nothing to show. */
export function restText({ findings, modules }: { findings: number; modules: number }): { text: string; tooltip: string } | undefined {
  if (findings === 0) {
    return undefined;
  }
  const count = (n: number, noun: string): string => `${String(n)} ${noun}${n === 1 ? "" : "s"}`;
  return {
    text: `$(warning) ${String(findings)} elsewhere`,
    tooltip: `${count(findings, "finding")} of tofumerge in ${count(modules, "module")} without an open file. Click to list them.`,
  };
}
