// The editor of the files. It is in a shadow root: there its styles are constructed style sheets,
// which the policy of the page allows without unsafe-inline.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { hcl } from "./hcl";
import type { FindingRecord } from "./protocol";

export interface EditorEvents {
  /** The text of the open file has changed. */
  edited(text: string): void;
  /** The cursor is at a line and a column, which start at 1. */
  moved(line: number, column: number): void;
  /** Explains a position; an empty text if there is nothing. */
  explain(line: number, column: number): Promise<string>;
}

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "var(--paper)" },
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "var(--raised)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--link) 8%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--link) 28%, transparent)",
  },
  ".cm-tooltip": {
    maxWidth: "min(44rem, 92vw)", maxHeight: "22rem", overflow: "auto", padding: "0.5rem 0.75rem", whiteSpace: "pre-wrap", overflowWrap: "anywhere",
    font: "12px/18px var(--mono)", color: "var(--ink)", backgroundColor: "var(--paper)", border: "1px solid var(--line)", borderRadius: "6px",
    boxShadow: "0 6px 20px rgb(0 0 0 / 0.25)",
  },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--raised)" },
  ".cm-textfield, .cm-button": { color: "var(--ink)", backgroundColor: "var(--paper)", backgroundImage: "none", border: "1px solid var(--faint)" },
  ".found-error": { textDecoration: "underline wavy var(--error)", textDecorationSkipInk: "none" },
  ".found-warning": { textDecoration: "underline wavy var(--warning)", textDecorationSkipInk: "none" },
  ".found-notice": { textDecoration: "underline dotted var(--notice)", textDecorationSkipInk: "none" },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: [tags.number, tags.atom], color: "var(--number)" },
  { tag: tags.keyword, color: "var(--keyword)" },
]);

const setFound = StateEffect.define<DecorationSet>();

const found = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, change) {
    marks = marks.map(change.changes);
    for (const effect of change.effects) {
      if (effect.is(setFound)) {
        marks = effect.value;
      }
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class Editor {
  private readonly view: EditorView;
  private readonly states = new Map<string, EditorState>();
  private readonly setup: Extension;
  private path = "";
  private isQuiet = false; // while the page itself changes the text

  constructor(parent: HTMLElement, private readonly events: EditorEvents) {
    const root = parent.attachShadow({ mode: "open" });
    const place = document.createElement("div");
    root.append(place);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("div:has(> .cm-editor) { height: 100%; }");
    root.adoptedStyleSheets.push(sheet);
    this.setup = [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), search({ top: true }), indentUnit.of("  "),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
      hcl, syntaxHighlighting(colours), theme, found,
      hoverTooltip(async (view, at) => {
        const line = view.state.doc.lineAt(at);
        const text = await events.explain(line.number, characters(line.text.slice(0, at - line.from)) + 1);
        return text === "" ? null : {
          pos: at, above: false,
          create: () => {
            const dom = document.createElement("div");
            dom.textContent = text;
            return { dom };
          },
        };
      }, { hoverTime: 250 }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !this.isQuiet) {
          events.edited(update.state.doc.toString());
        }
        if (update.selectionSet || update.docChanged) {
          this.announce();
        }
      }),
    ];
    this.view = new EditorView({ parent: place, root });
  }

  private announce(): void {
    const at = this.view.state.selection.main.head;
    const line = this.view.state.doc.lineAt(at);
    this.events.moved(line.number, columnAt(line.text, at - line.from));
  }

  /** Shows a file, with its history if it was shown before. */
  open(path: string, text: string): void {
    if (this.path !== "") {
      this.states.set(this.path, this.view.state);
    }
    const known = this.states.get(path);
    this.path = path;
    this.isQuiet = true;
    this.view.setState(known?.doc.toString() === text ? known : EditorState.create({
      doc: text,
      extensions: [
        this.setup, EditorState.readOnly.of(path === ""),
        EditorView.contentAttributes.of({ "aria-label": path === "" ? "No file is open" : `Text of ${path}` }),
      ],
    }));
    this.isQuiet = false;
    this.announce();
  }

  /** Forgets the histories of all files. */
  clear(): void {
    this.states.clear();
    this.path = "";
  }

  /** Moves the cursor to a line, and scrolls the editor, but not the page around it. */
  goTo(line: number): void {
    const at = this.view.state.doc.line(Math.max(1, Math.min(line, this.view.state.doc.lines)));
    const column = at.text.length - at.text.trimStart().length;
    this.view.dispatch({ selection: { anchor: at.from + column } });
    this.view.requestMeasure({
      read: (view) => view.lineBlockAt(at.from).top - view.scrollDOM.clientHeight / 2,
      write: (top, view) => {
        view.scrollDOM.scrollTop = top;
      },
    });
  }

  focus(): void {
    this.view.focus();
  }

  openSearch(): void {
    openSearchPanel(this.view);
  }

  /** Underlines findings of the open file; one behind the last text, such as a missing brace, at that text. */
  mark(findings: FindingRecord[]): void {
    const doc = this.view.state.doc;
    const marks = findings.filter((f) => f.range.start.line > 0 && f.range.start.line <= doc.lines).map((f) => {
      const line = doc.line(f.range.start.line);
      if (line.text.trim() === "") {
        const to = doc.sliceString(0, line.from).trimEnd().length;
        return { from: Math.max(0, to - 1), to, severity: f.severity };
      }
      const from = line.from + units(line.text, f.range.start.column - 1);
      const end = f.range.end.line === f.range.start.line ? line.from + units(line.text, f.range.end.column - 1) : line.to;
      return { from, to: Math.max(end, Math.min(from + 1, line.to)), severity: f.severity };
    }).filter((m) => m.to > m.from);
    this.view.dispatch({
      effects: setFound.of(Decoration.set(marks.map((m) => Decoration.mark({ class: `found-${m.severity}` }).range(m.from, m.to)), true)),
    });
  }
}

/** The column of a cursor. Before and behind the text of a line it is 0, which stands for the text. */
function columnAt(text: string, at: number): number {
  const indent = text.length - text.trimStart().length;
  return at < indent || at >= text.trimEnd().length ? 0 : characters(text.slice(0, at)) + 1;
}

/** The number of characters; the program counts these, the editor UTF-16 code units. */
function characters(text: string): number {
  let n = 0;
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  for (const _ of text) {
    n++;
  }
  return n;
}

function units(text: string, count: number): number {
  let at = 0;
  for (const c of text) {
    if (count-- <= 0) {
      break;
    }
    at += c.length;
  }
  return at;
}
