// Draws the views of the module, in the form of the pages of tofumerge report, whose style they share.
import { element as el } from "./dom";
import { type HasFile, withPlaces } from "./places";
import type { ChangeLine, Changes, FindingRecord, Fold, Note, Part, Row, Section } from "./protocol";

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
    for (const b of s.Blocks ?? []) {
      out.push(el("div", { class: "block" }, el("p", { class: "address" }, b.Address + b.Note), this.sectionChanges(b.Lines)));
    }
    for (const text of [...(s.Texts ?? []), ...(s.Rest ?? [])]) {
      out.push(el("div", { class: "text" }, text.Name === "" ? undefined : el("h3", { class: "file" }, text.Name),
        ...(text.Parts ?? []).map((p) => this.part(p))));
    }
    if (s.Left !== "") {
      out.push(el("p", { class: "said" }, s.Left));
    }
    return out;
  }

  private part(p: Part): Node {
    if (p.Fold) {
      return this.fold(p.Fold);
    }
    return el("div", { class: "block" }, ...(p.Rows ?? []).map((r) => this.row(r)));
  }

  private fold(f: Fold): Node {
    const words = `${f.Lines} unchanged ${f.Lines === 1 ? "line" : "lines"}`;
    if (f.Text === "") {
      return el("p", { class: "fold" }, words);
    }
    if (f.Lines <= shownLines) {
      return el("div", { class: "block" }, el("pre", {}, f.Text));
    }
    const fold = el("details", { class: "fold" }, el("summary", {}, words));
    fold.addEventListener("toggle", () => {
      fold.append(el("pre", {}, f.Text)); // only now: it may be long
    }, { once: true });
    return fold;
  }

  private row(r: Row): Node {
    const pre = (tag: "del" | "s") => el("pre", {}, ...(r.Lines ?? []).flatMap((l) => [l.Indent, el(tag, {}, l.Text), "\n"]));
    switch (r.Kind) {
      case "":
        return el("pre", {}, r.Text);
      case "fold":
        return r.Fold ? this.fold(r.Fold) : el("p", { class: "fold" });
      case "left":
        return el("p", { class: "fold" }, `${r.Left ?? 0} more lines`);
      case "finding":
        return el("p", { class: `finding ${r.Finding?.Severity ?? ""}` }, el("b", { class: r.Finding?.Severity ?? "" }, r.Finding?.Severity), " ",
          el("span", { class: "message" }, ...this.places(r.Finding?.Message ?? "")), " ", rule(r.Finding?.Rule ?? "", r.Finding?.URL ?? ""));
      case "gone":
        return el("div", { class: `row gone ${r.Class ?? ""}` }, pre("del"),
          r.Place ? el("span", { class: "by" }, `${r.Verb ?? ""} `, ...this.places(r.Place)) : undefined);
      case "idle":
        return el("div", { class: `row idle ${r.Class ?? ""}` }, pre("s"),
          el("span", { class: "by" }, `${r.Verb ?? ""}: ${r.Why ?? ""} `, ...this.places(r.Place ?? "")));
      default:
        return el("div", { class: `row ${r.Class ?? ""}` }, el("pre", {}, r.Text), ...(r.Note ? this.note(r.Note) : []));
    }
  }

  private note(n: Note): Node[] {
    const by = el("span", { class: "by" }, el("span", { class: "vh" }, `${n.Verb} ${n.Address}: `),
      n.Old === "" ? undefined : el("span", { class: "was" }, `was ${n.Old}`), " ", ...this.places(n.Place));
    by.querySelector("button")?.setAttribute("aria-describedby", n.ID);
    const more: Node[] = [];
    for (const was of n.Was ?? []) {
      more.push(el("p", {}, el("span", { class: "label" }, "was"), " ", el("code", {}, was.Value), " ", ...this.places(was.Place)));
    }
    if (more.length === 0) {
      more.push(el("p", { class: "deed label" }, n.Verb));
    }
    if (n.Hides) {
      more.push(el("p", {}, el("span", { class: "label" }, "hides"), " ", ...this.places(n.Hides.join(", "))));
    }
    if (n.Changes) {
      more.push(this.sectionChanges(n.Changes));
    }
    if (n.More > 0) {
      more.push(el("p", {}, `${n.More} more changes`));
    }
    if (n.Why !== "") {
      more.push(el("p", { class: "why" }, n.Why));
    }
    return [by, el("div", { class: `note${n.IsBelow ? " below" : ""}`, id: n.ID, role: "tooltip" }, el("p", { class: "address" }, n.Address), ...more)];
  }

  private sectionChanges(lines: ChangeLine[] | null): Node {
    return el("ul", { class: "changes" }, ...(lines ?? []).map((l) => el("li", { class: l.kind }, el("span", { class: "vh" }, `${l.kind} `),
      el("code", {}, l.name), " ", el("code", {}, l.value), " ", ...this.places(l.by ?? ""))));
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
