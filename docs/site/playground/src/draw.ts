// Draws the views of the module, in the form of the pages of tofumerge report, whose style they share.
import { element as el } from "./dom";
import { type HasFile, withPlaces } from "./places";
import type { ChangeLine, Changes, FindingRecord, Note, Row, Section } from "./protocol";

// Runs of unchanged lines that are longer are folded.
const shownLines = 200;

export class Drawing {
  constructor(private readonly hasFile: HasFile) {}

  private places(text: string): (Node | string)[] {
    return withPlaces(text, this.hasFile);
  }

  effective(s: Section): Node[] {
    const out: Node[] = [];
    if (s.Files === 0) {
      out.push(el("p", { class: "said" }, "The module has no override files. Add one whose name is override.tf or ends in _override.tf."));
    }
    if (s.Legend && s.Legend.length > 0) {
      out.push(el("ul", { class: "legend", "aria-label": "Override files" },
        ...s.Legend.map((l) => el("li", { class: l.Class }, el("i"), el("span", { class: "file" }, l.Name), l.Does === "" ? undefined : ` ${l.Does}`)),
        s.MoreFiles > 0 ? el("li", {}, `${s.MoreFiles} more`) : undefined));
    }
    if (s.NotShown !== "") {
      out.push(el("p", { class: "said" }, ...this.places(s.NotShown)));
    }
    for (const text of s.Texts ?? []) {
      out.push(el("div", { class: "text" }, text.Name === "" ? undefined : el("h3", { class: "file" }, text.Name),
        ...text.Parts.flatMap((p) => {
          const rows = p.Rows.map((r) => this.row(r));
          return p.Address === undefined ? rows : [el("div", { class: "block" }, ...rows)];
        })));
    }
    for (const [count, words] of [[s.LeftBlocks, "touched blocks"], [s.LeftLines, "unchanged lines"]] as const) {
      if (count > 0) {
        out.push(el("p", { class: "said" }, `${count} more ${count === 1 ? words.slice(0, -1) : words} not shown.`));
      }
    }
    return out;
  }

  private fold(text: string, lines: number): Node {
    const words = `${lines} unchanged ${lines === 1 ? "line" : "lines"}`;
    if (text === "") {
      return el("p", { class: "fold" }, words);
    }
    if (lines <= shownLines) {
      return el("div", { class: "block" }, el("pre", {}, text));
    }
    const fold = el("details", { class: "fold" }, el("summary", {}, words));
    fold.addEventListener("toggle", () => {
      fold.append(el("pre", {}, text)); // only now: it may be long
    }, { once: true });
    return fold;
  }

  private row(r: Row): Node {
    const text = r.Text ?? "";
    const notes = (r.Notes ?? []).map((n) => this.note(n));
    switch (r.Kind) {
      case "fold":
        return this.fold(text, r.Lines ?? 0);
      case "left":
        return el("p", { class: "fold" }, `${r.Lines ?? 0} more ${r.Lines === 1 ? "line" : "lines"}`);
      case "finding":
        return el("p", { class: `finding ${r.Finding?.severity ?? ""}` }, el("b", { class: r.Finding?.severity ?? "" }, r.Finding?.severity), " ",
          el("span", { class: "message" }, ...this.places(r.Finding?.message ?? "")), " ", rule(r.Finding?.rule ?? "", r.Finding?.url ?? ""));
      case "gone":
      case "idle":
        return el("div", { class: `row ${r.Kind} ${r.Class ?? ""}` }, el("pre", {}, r.Indent ?? "", r.Text === undefined ? undefined : el("del", {}, text), ...notes));
      default:
        return r.Class === undefined ? el("pre", {}, text) :
          el("div", { class: `row ${r.Class}` }, el("pre", {}, text), notes.length > 0 ? el("p", { class: "by" }, ...notes) : undefined);
    }
  }

  private note(n: Note): Node {
    return el("span", { class: "note" }, `${n.Kind}: `, ...this.places(n.Place), ...this.places(n.Detail === undefined ? "" : ` ${n.Detail}`),
      el("span", { class: "vh" }, ` ${n.Address}`));
  }

  changes(c: Changes): Node[] {
    if (c.blocks.length === 0) {
      return [el("p", { class: "said" }, "The override files change nothing.")];
    }
    const out: Node[] = c.blocks.map((b) => el("section", { class: "changed" }, el("h3", { class: "address" }, b.address, b.note),
      el("ul", { class: "changes" }, ...b.lines.map((l) => this.change(l)))));
    out.push(el("p", { class: "said" }, `${c.count}. ${c.left ?? ""}`));
    return out;
  }

  private change(l: ChangeLine): Node {
    return el("li", { class: `${l.isGroup ? "group" : l.kind} depth${Math.min(l.depth, 6)}` }, el("span", { class: "vh" }, l.isGroup ? "" : `${l.kind} `),
      l.name === "" ? undefined : el("code", {}, l.name), l.name === "" ? undefined : " ", el("span", { class: "value" }, ...this.places(l.value)), " ",
      el("span", { class: "by" }, ...this.places(l.by ?? "")),
      l.below ? el("ul", { class: "changes" }, ...l.below.map((below) => this.change({ ...below, depth: 0, name: "" }))) : undefined);
  }

  findings(list: FindingRecord[], silenced: FindingRecord[]): Node[] {
    const out: Node[] = [];
    if (list.length === 0) {
      out.push(el("p", { class: "said" }, "No findings."));
    } else {
      out.push(el("ul", { class: "findings" }, ...list.map((f) => this.finding(f))));
    }
    if (silenced.length > 0) {
      out.push(el("h3", {}, "Ignored by comments"), el("ul", { class: "findings silenced" }, ...silenced.map((f) => this.finding(f))));
    }
    return out;
  }

  private finding(f: FindingRecord): Node {
    const place = f.range.start.line > 0 ? `${f.path}:${f.range.start.line}` : f.path;
    return el("li", { class: `finding ${f.severity}` }, el("b", { class: f.severity }, f.severity), " ", ...this.places(place), " ",
      el("span", { class: "message" }, ...this.places(f.message)), " ", rule(f.rule, f.url));
  }
}

function rule(name: string, url: string): Node {
  if (!url.startsWith("https://")) {
    return el("span", { class: "rule" }, name);
  }
  return el("a", { class: "rule", href: url, rel: "noreferrer", target: "_blank" }, name);
}
