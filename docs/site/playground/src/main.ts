// The page: it keeps the files, asks the program after each change, and draws the answers.
import { stories } from "stories";
import { share, askName } from "./dialogs";
import { byId, element } from "./dom";
import { Drawing } from "./draw";
import { Editor } from "./editor";
import { EngineChooser } from "./engines";
import { Files, dropped, take } from "./files";
import { leastTimeLimit, maxLink, mostTimeLimit, timeLimit } from "./limits";
import { Program, Stopped } from "./program";
import type { Answer, ModuleAnswer } from "./protocol";
import { fragmentOf, moduleIn } from "./share";
import { type View, tabs } from "./tabs";

const limit = Number(new URLSearchParams(location.search).get("limit")) || timeLimit;
const program = new Program("tofumerge.wasm.gz", Math.min(Math.max(limit, leastTimeLimit), mostTimeLimit));
const files = new Files();
const drawing = new Drawing((name) => files.has(files.inModule(name)));

const [message, status, panel] = [byId("message", HTMLElement), byId("status", HTMLElement), byId("panel", HTMLElement)];
const [list, stop, explanation] = [byId("list", HTMLElement), byId("stop", HTMLButtonElement), byId("explanation", HTMLElement)];
const story = byId("story", HTMLSelectElement);

let current = ""; // the open file
let view: View = "effective";
let last: ModuleAnswer | undefined;
const kept = new Map<View, Node[]>(); // the last results of these files, for the time in which they have an error

function say(text: string): void {
  message.textContent = text;
  message.hidden = text === "";
}

// One request at a time. While one runs, a change only notes that another one is due.
let isRunning = false;
let isChanged = false; // the files, since the program saw them
let isDue = false;
const waiting: (() => void)[] = [];

async function exclusively<T>(work: () => Promise<T>): Promise<T> {
  while (isRunning) {
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  isRunning = true;
  try {
    return await work();
  } finally {
    isRunning = false;
    waiting.shift()?.();
  }
}

function refresh(): void {
  if (isDue) {
    return;
  }
  isDue = true;
  void exclusively(run);
}

async function run(): Promise<void> {
  isDue = false;
  const asked = view;
  const busy = setTimeout(() => {
    stop.hidden = false;
    panel.setAttribute("aria-busy", "true");
    status.textContent = "Working…";
  }, 300);
  const wasChanged = isChanged;
  isChanged = false;
  try {
    const answer = await program.ask(wasChanged || !last ? { view: asked, module: files.module() } : { view: asked });
    draw(asked, answer);
  } catch (error) {
    failed(error);
  } finally {
    clearTimeout(busy);
    stop.hidden = true;
    panel.setAttribute("aria-busy", "false");
  }
}

function failed(error: unknown): void {
  last = undefined; // the next program knows no module
  isChanged = true;
  const text = error instanceof Error ? error.message : String(error);
  status.textContent = error instanceof Stopped ? "Stopped" : "Failed";
  panel.replaceChildren(element("p", { class: "error" }, text));
}

function draw(asked: View, answer: Answer): void {
  const m = answer.module;
  performance.mark("drawn");
  last = m;
  byId("count", HTMLElement).textContent = m && m.findings.length > 0 ? ` ${m.findings.length}` : "";
  if (!m) {
    isChanged = true;
    status.textContent = "No module";
    panel.replaceChildren(element("p", { class: "error" }, answer.error));
    editor.mark([]);
    drawList();
    return;
  }
  say("");
  const shown: Node[] = [];
  if (m.isRefused) {
    const before = kept.get(asked) ?? [];
    shown.push(element("p", { class: "said error" }, `${m.title} refuses this module${before.length > 0 ? "; the result before that is below" : ", so it has no effective configuration"}:`),
      ...drawing.findings(m.findings, m.silenced));
    if (before.length > 0) {
      const old = element("div", { class: "before", "aria-label": "The result before the error", role: "group" }, ...before);
      old.inert = true;
      shown.push(old);
    }
  } else if (asked === "check") {
    shown.push(...drawing.findings(m.findings, m.silenced));
  } else if (asked === "changes" && m.changes) {
    shown.push(...drawing.changes(m.changes));
  } else if (m.effective) {
    shown.push(...drawing.effective(m.effective));
  }
  if (m.elsewhere > 0) {
    shown.push(element("p", { class: "said" }, `${m.elsewhere} ${m.elsewhere === 1 ? "file is" : "files are"} in other directories and not read.`));
  }
  if (!m.isRefused && asked !== "check") {
    kept.set(asked, [...shown]);
  }
  panel.replaceChildren(...shown);
  describe(m);
  drawList();
  mark();
  explainCursor(0);
}

function describe(m: ModuleAnswer): void {
  const counts = new Map<string, number>();
  for (const f of m.findings) {
    counts.set(f.severity, (counts.get(f.severity) ?? 0) + 1);
  }
  const words = [...counts].map(([severity, n]) => `${n} ${severity}${n === 1 ? "" : "s"}`);
  const text = `${m.engine} · ${words.length === 0 ? "no findings" : words.join(", ")}`;
  if (status.textContent !== text) {
    status.textContent = text; // and is read out once
  }
  status.title = m.reason;
}

function mark(): void {
  editor.mark((last?.findings ?? []).filter((f) => files.inModule(f.path) === current));
}

const signs: Record<string, string> = { override: "override", primary: "", none: "not read", variables: "values", lock: "lock", settings: "settings" };

function drawList(): void {
  const isFocused = list.contains(document.activeElement);
  const known = new Map((last?.files ?? []).map((f) => [files.inModule(f.name), f]));
  list.replaceChildren(...files.paths().map((path) => {
    const file = known.get(path);
    const role = file ? signs[file.role] ?? file.role : last ? "not read" : "";
    const button = element("button", { type: "button", "data-path": path }, element("span", { class: "path" }, path),
      role === "" ? undefined : " ", role === "" ? undefined : element("span", { class: `role ${file?.role ?? "none"}` }, role));
    if (path === current) {
      button.setAttribute("aria-current", "true");
    }
    if (file?.note) {
      button.title = file.note;
    }
    return element("li", {}, button);
  }));
  if (isFocused) {
    list.querySelector<HTMLElement>("[aria-current]")?.focus();
  }
  const dirs = files.dirs();
  byId("pick", HTMLElement).hidden = dirs.length < 2;
  byId("dir", HTMLSelectElement).replaceChildren(...dirs.map((dir) => {
    const option = element("option", { value: dir }, dir === "" ? "." : dir);
    option.selected = dir === files.dir;
    return option;
  }));
  for (const id of ["rename", "delete"]) {
    byId(id, HTMLButtonElement).disabled = current === "";
  }
}

/** Explains a position; an empty text if nothing is there, or if the program knows no module. */
async function explain(line: number, column: number, columns: number): Promise<string> {
  const at = { file: current, line, column };
  const answer = await exclusively(async () => (last ? program.ask({ view: "explain", at, columns }) : undefined));
  return (answer?.explain?.text ?? "").trimEnd();
}

/** The number of columns that text has room for in an element. */
function columnsOf(e: HTMLElement): number {
  const style = getComputedStyle(e);
  const context = document.createElement("canvas").getContext("2d");
  if (!context) {
    return 80;
  }
  context.font = style.font;
  return Math.max(30, Math.floor((e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)) / context.measureText("0").width));
}

const nothing = "Put the cursor on an argument or a block.";
let cursor: [number, number] = [1, 0];
let asking = 0;

/** Explains the name at the cursor, once the cursor has rested. */
function explainCursor(rest: number): void {
  clearTimeout(asking);
  asking = setTimeout(() => {
    explain(...cursor, columnsOf(explanation)).then((text) => {
      explanation.textContent = text === "" ? nothing : text;
    }, () => undefined); // the panel shows the error
  }, rest);
}

const editor = new Editor(byId("editor", HTMLElement), {
  edited(text) {
    files.write(current, text);
    story.value = "";
    isChanged = true;
    refresh();
  },
  moved(line, column) {
    cursor = [line, column];
    explainCursor(250);
  },
  explain: (line, column) => explain(line, column, Math.min(80, columnsOf(explanation))).catch(() => ""),
});

function open(path: string): void {
  current = path;
  editor.open(path, files.text(path));
  byId("source-title", HTMLElement).textContent = path === "" ? "Editor" : path;
  mark();
  drawList();
}

function changed(): void {
  isChanged = true;
  refresh();
}

function replace(module: ReturnType<Files["module"]>, file?: string, line?: number): void {
  files.set(module);
  kept.clear();
  editor.clear();
  last = undefined;
  const dirs = files.dirs();
  files.dir = dirs.includes(module.dir) ? module.dir : dirs[0] ?? "";
  engines.choose(module.engine);
  const paths = files.paths();
  open(file ?? paths.find((p) => /(^|_)override\./.test(p)) ?? paths[0] ?? "");
  if (line !== undefined) {
    editor.goTo(line);
  }
  changed();
}

const engines = new EngineChooser((engine) => {
  files.engine = engine;
  changed();
});

// What a module of one's own starts with.
const blank = {
  text: "A module of your own: write its files here, add others, or open a folder.",
  files: { "main.tf": "# What the module declares.\n", "override.tf": "# What overrides it.\n" },
  open: "main.tf",
  line: 2,
};

function tell(index: number): void {
  const s = stories[index] ?? blank;
  byId("about", HTMLElement).textContent = s.text;
  replace({ files: s.files, dir: "", engine: "" }, s.open, s.line);
}

async function start(): Promise<void> {
  story.replaceChildren(...stories.map((s, i) => element("option", { value: String(i) }, s.title)), element("option", { value: "" }, "your own"));
  tabs((chosen) => {
    view = chosen;
    refresh();
  });
  listen();
  await restore();
  try {
    engines.offer((await exclusively(() => program.ask({ view: "engines" }))).engines ?? []);
    engines.choose(files.engine);
  } catch (error) {
    failed(error);
  }
}

/** Shows the module of the address, or the first story. */
async function restore(): Promise<void> {
  let shared;
  try {
    shared = await moduleIn(location.hash);
  } catch (error) {
    tell(0);
    say(`The link can't be read: ${error instanceof Error ? error.message : ""}. This is a story instead.`);
    status.textContent = "";
    return;
  }
  if (!shared) {
    const wanted = stories.findIndex((s) => location.hash === `#story=${s.name}`);
    story.value = String(Math.max(0, wanted));
    tell(Math.max(0, wanted));
    return;
  }
  story.value = "";
  byId("about", HTMLElement).textContent = "A shared module.";
  replace(shared);
}

function own(): void {
  story.value = "";
  byId("about", HTMLElement).textContent = "";
}

async function takeAll(found: { path: string; file: File }[]): Promise<void> {
  const taken = await take(found);
  const n = Object.keys(taken.files).length;
  const notes = [...taken.left.slice(0, 5), taken.left.length > 5 ? `and ${taken.left.length - 5} more` : ""].filter((t) => t !== "");
  if (n === 0) {
    say(["There are no files of a module among these.", ...notes].join(" "));
    return;
  }
  own();
  replace({ files: taken.files, dir: "", engine: files.engine });
  if (taken.skipped > 0) {
    notes.unshift(`${taken.skipped} ${taken.skipped === 1 ? "file" : "files"} of other kinds left out.`);
  }
  byId("about", HTMLElement).textContent = [`${n} ${n === 1 ? "file" : "files"} taken.`, ...notes].join(" ");
}

function listen(): void {
  story.onchange = () => {
    tell(story.value === "" ? -1 : Number(story.value));
  };
  stop.onclick = () => {
    program.stop();
  };
  list.onclick = (event) => {
    const path = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-path]")?.dataset["path"] : undefined;
    if (path !== undefined) {
      open(path);
    }
  };
  byId("dir", HTMLSelectElement).onchange = (event) => {
    files.dir = (event.target as HTMLSelectElement).value;
    changed();
  };
  byId("add", HTMLElement).onclick = async () => {
    const name = await askName("Add a file", "Add", files.inModule("override.tf"), (path) => files.refuse(path));
    if (name !== undefined) {
      files.write(name, "");
      open(name);
      changed();
    }
  };
  byId("rename", HTMLElement).onclick = async () => {
    const from = current;
    const name = await askName(`Rename ${from}`, "Rename", from, (path) => (path === from ? "" : files.refuse(path)));
    if (name !== undefined && name !== from) {
      files.write(name, files.text(from));
      files.remove(from);
      open(name);
      changed();
    }
  };
  byId("delete", HTMLElement).onclick = () => {
    files.remove(current);
    open(files.paths()[0] ?? "");
    changed();
  };
  byId("share", HTMLElement).onclick = () => {
    share(files.paths().length, files.bytes(), async () => {
      const fragment = await fragmentOf(files.module());
      if (fragment.length > maxLink) {
        return undefined;
      }
      history.replaceState(null, "", fragment);
      return location.href;
    });
  };
  listenForFolders();
  panel.addEventListener("click", (event) => {
    const place = event.target instanceof Element ? event.target.closest<HTMLElement>("button.place") : null;
    if (place) {
      open(files.inModule(place.dataset["file"] ?? ""));
      editor.goTo(Number(place.dataset["line"]));
      editor.focus();
      byId("source", HTMLElement).scrollIntoView({ block: "nearest" });
    }
  });
  addEventListener("hashchange", () => void restore());
}

function listenForFolders(): void {
  const input = byId("folder-input", HTMLInputElement);
  byId("folder", HTMLElement).onclick = () => {
    input.click();
  };
  input.onchange = () => {
    void takeAll([...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath, file })));
    input.value = "";
  };
  addEventListener("dragover", (event) => {
    event.preventDefault();
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer) {
      void dropped(event.dataTransfer).then(takeAll);
    }
  });
}

void start();
