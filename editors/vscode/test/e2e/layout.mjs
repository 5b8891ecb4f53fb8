// Compares what a window shows with an approved layout: the parts, where they are, and their texts.
// Pixels aren't compared, because fonts and anti-aliasing differ between machines.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** How far a part may be from where it was, in pixels, and by how much its size may differ. */
const tolerance = { position: 24, size: 0.15 };

/** The parts that are compared: a name, what finds them, and how many of them at most. */
const parts = [
  ["tab", ".tab", 9],
  ["editor", ".monaco-editor:not(.rename-box)", 9],
  ["lens", ".contentWidgets .codelens-decoration", 20],
  ["hover", ".monaco-hover:not(.hidden) .hover-contents", 9],
  ["references", ".peekview-widget .ref-tree .monaco-list-row", 20],
  ["completion", ".suggest-widget.visible .monaco-list-row", 3],
  ["action", ".action-widget .monaco-list-row", 20],
  ["problem", ".markers-panel .monaco-list-row", 30],
  ["message", ".notifications-toasts .notification-list-item", 9],
  ["message", ".monaco-editor-overlaymessage", 1],
];

/** Reads the parts in the page. */
function read(parts) {
  const clean = (text) => text.replaceAll("\u00a0", " ").replace(/[\u200b\ufeff\ue000-\uf8ff]/g, "");
  const isShown = (e) => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(e).visibility !== "hidden" && box.top < innerHeight && box.left < innerWidth;
  };
  /** A line of an editor: ~~struck~~, ‹faded›, [hint]. */
  const marked = (line) => {
    let out = "", last = "";
    const close = { struck: "~~", faded: "›", hint: "]", "": "" }, open = { struck: "~~", faded: "‹", hint: "[", "": "" };
    for (const span of line.querySelectorAll("span")) {
      if (span.children.length > 0 || span.textContent === "") continue;
      const kind =
        /\bdyn-rule-/.test(span.className) ? "hint"
        : getComputedStyle(span).textDecorationLine.includes("line-through") ? "struck"
        : span.classList.contains("squiggly-inline-unnecessary") ? "faded" : "";
      if (kind !== last) out += close[last] + open[kind];
      last = kind;
      out += span.textContent;
    }
    return clean(out + close[last]);
  };
  const linesOf = (editor) => {
    const inside = editor.getBoundingClientRect();
    return [...editor.querySelectorAll(".view-lines .view-line")]
      .map((line) => [line.getBoundingClientRect(), line])
      .filter(([box]) => box.bottom > inside.top && box.top < inside.bottom)
      .sort(([a], [b]) => a.top - b.top)
      .map(([, line]) => marked(line).trimEnd());
  };
  const found = [];
  for (const [part, selector, most] of parts) {
    for (const e of [...document.querySelectorAll(selector)].filter(isShown).slice(0, most)) {
      const box = e.getBoundingClientRect();
      found.push({
        part,
        box: [box.left, box.top, box.width, box.height].map(Math.round),
        ...(part === "editor" ? { lines: linesOf(e) } : { text: clean(e.innerText).replace(/\s+/g, " ").trim() }),
      });
    }
  }
  return found;
}

/** The parts of a page, with names in place of the directories of this run. */
export async function layoutOf(page, names) {
  let text = JSON.stringify(await page.evaluate(read, parts));
  for (const [directory, name] of Object.entries(names)) text = text.replaceAll(directory, name);
  return JSON.parse(text);
}

/** The differences between two layouts, as lines of text. */
export function differences(approved, seen) {
  const found = [];
  for (let i = 0; i < Math.max(approved.length, seen.length); i++) {
    const a = approved[i], b = seen[i];
    if (a === undefined || b === undefined || a.part !== b.part) {
      found.push(`- ${a === undefined ? "nothing" : brief(a)}`, `+ ${b === undefined ? "nothing" : brief(b)}`);
      break; // everything behind it has another number
    }
    const aText = a.lines ?? [a.text], bText = b.lines ?? [b.text];
    for (let n = 0; n < Math.max(aText.length, bText.length); n++) {
      if (aText[n] !== bText[n] && !isWrapped(a, b)) found.push(`- ${a.part}: ${aText[n] ?? ""}`, `+ ${b.part}: ${bText[n] ?? ""}`);
    }
    if (!isNear(a.box, b.box)) found.push(`- ${a.part} at ${a.box}`, `+ ${b.part} at ${b.box}: ${bText[0] ?? ""}`);
  }
  return found;
}

/** Whether two editors show the same text, although lines are wrapped at other words and so more or fewer of them fit. */
function isWrapped(a, b) {
  if (a.lines === undefined || b.lines === undefined) return false;
  const [short, long] = [a, b].map(({ lines }) => lines.join("").replace(/\s/g, "")).sort((x, y) => x.length - y.length);
  return long.startsWith(short) && short.length >= 0.8 * long.length;
}

const brief = ({ part, text, lines }) => `${part}: ${text ?? lines[0] ?? ""}`;

function isNear(a, b) {
  const isSame = (i, slack) => Math.abs(a[i] - b[i]) <= Math.max(tolerance.position, slack);
  return isSame(0, 0) && isSame(1, 0) && isSame(2, tolerance.size * a[2]) && isSame(3, tolerance.size * a[3]);
}

/** Compares a layout with the approved one in a file, or approves it. Fails with the differences. */
export function compare(file, seen, isApproved) {
  if (isApproved) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `[\n${seen.map((part) => JSON.stringify(part)).join(",\n")}\n]\n`);
    return;
  }
  if (!existsSync(file)) throw new Error(`${file} is missing: look at the picture, and run again with APPROVE=1`);
  const found = differences(JSON.parse(readFileSync(file, "utf8")), seen);
  if (found.length > 0) throw new Error(`not as in ${file}:\n${found.map((line) => `          ${line}`).join("\n")}`);
}
