// The scenarios. Each has a window of its own.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sleep, until } from "./editor.mjs";

const active = ".editor-group-container.active .monaco-editor .view-lines";
const hints = `${active} .view-line`;
const problems = ".markers-panel .monaco-list-row";
const messages = ".notifications-toasts .notification-list-item-message";

/** Reads the text of the editor group at an index, from the left. */
const group = (index) => `.editor-instance >> nth=${index}`;

async function textOf(window, index) {
  const lines = await window.page.locator(group(index)).locator(".view-line").evaluateAll((list) =>
    list
      .sort((a, b) => parseInt(a.style.top) - parseInt(b.style.top))
      .map((line) => line.textContent.replaceAll("\u00a0", " "))
      .join("\n"),
  );
  return lines;
}

/** Everything that a module with overrides shows. */
async function tour({ window, shot }) {
  const { page } = window;
  await window.openFile("main.tf", 11, 5);
  await window.sees(hints, /← local_override\.tf:7/);
  await window.sees(".contentWidgets", /_override\.tf: /);
  await shot("hints");

  await window.run("Tofumerge: Explain Here");
  await window.sees(".monaco-hover:not(.hidden)", "t3.micro");
  await shot("hover");
  await page.keyboard.press("Escape");

  // The code lens lists the overrides.
  await page.locator(".contentWidgets a", { hasText: /_override\.tf: / }).last().click();
  await window.appears(".peekview-widget");
  await shot("overrides");
  await page.keyboard.press("Escape");

  // The effective configuration opens beside the file, follows edits, and is read-only.
  await window.openFile("main.tf", 10, 20);
  await window.run("Tofumerge: Show Effective Configuration");
  await window.appears('.tab[aria-label*="effective: web"]');
  await until("the effective text", async () => (await textOf(window, 1)).includes('"t3.micro"'));
  await shot("effective");
  await page.keyboard.press("End");
  await page.keyboard.type(" # the newest");
  await until("the edit in the effective text", async () => (await textOf(window, 1)).includes("# the newest"));
  await page.locator(group(1)).locator(".view-lines").click();
  await page.keyboard.type("x");
  await window.sees(".monaco-editor-overlaymessage", /read-only/i);
  await shot("read-only");
  assert.ok(!(await textOf(window, 1)).includes("x "));
  await page.keyboard.press("Control+W");
  await window.openFile("main.tf");
  await window.run("File: Revert File");

  await window.run("Tofumerge: Compare with Effective Configuration");
  await window.appears(".monaco-diff-editor .char-insert, .monaco-diff-editor .line-insert");
  await shot("compare");
  assert.ok(!(await page.locator(".monaco-diff-editor .modified .view-lines").innerText()).includes("variable"));
  await page.keyboard.press("Control+W");
}

/** Two override files that replace, drop and add, and one that another one supersedes. */
async function glance({ window, shot }) {
  const { page } = window;
  await window.openFile("main.tf", 1, 1);
  await window.sees(hints, "dropped by z_override.tf:5");
  await window.sees(".contentWidgets", /z_override\.tf: /);
  await shot("primary");
  await window.openFile("local_override.tf", 1, 1);
  await window.sees(hints, "t3.small");
  await window.sees(".contentWidgets", "overrides main.tf:1");
  await shot("override");

  await window.openFile("main.tf", 1, 1);
  await window.run("Tofumerge: Show Effective Configuration");
  await until("the effective text", async () => (await textOf(window, 1)).includes('"t3.micro"'));
  await shot("effective");

  // Nothing is cut, however narrow the pane is.
  const pane = page.locator(group(1));
  const edge = await pane.evaluate((e) => e.getBoundingClientRect().right);
  const ends = await pane.locator(".view-line > span").evaluateAll((list) => list.map((e) => e.getBoundingClientRect().right));
  assert.ok(Math.max(...ends) <= edge, `a line ends at ${Math.max(...ends)}, the pane at ${edge}`);

  // It scrolls with the file.
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.keyboard.press("Control+End");
  await until("the end of the effective text", async () => !(await textOf(window, 1)).includes('provider "aws"'));
  await shot("scrolled");
  await page.keyboard.press("Control+Home");
  await until("the start of the effective text", async () => (await textOf(window, 1)).includes('provider "aws"'));

  // Each mark links to its origin.
  const origin = pane.locator(".detected-link", { hasText: "local_override.tf:11" }).first();
  await origin.click({ modifiers: ["Control"] });
  await window.appears('.tab.active[aria-label*="local_override.tf"]', "the tab of the origin");
  await window.sees(".statusbar", "Ln 11");
}

/** Findings and quick fixes. */
async function findings({ window, shot }) {
  const { page } = window;
  await window.openFile("local_override.tf", 10, 5);
  await window.appears(`.monaco-editor .squiggly-warning`);
  await page.keyboard.press("Control+Shift+M");
  await window.sees(problems, "drops encrypted");
  await window.sees(problems, "lifecycle.enabled");
  await shot("findings");
  await page.keyboard.press("Control+Shift+M");

  await window.openFile("local_override.tf", 10, 5);
  const before = await window.text();
  await page.keyboard.press("Control+.");
  await window.appears(".action-widget");
  await shot("quickfix");
  await window.appears(".action-widget .monaco-list-row.focused[aria-label^='Repeat here']");
  await page.keyboard.press("Enter");
  await until("the quick fix", async () => /encrypted\s+= true/.test(await window.text()));
  await until("the finding to go", async () => (await page.locator(".squiggly-warning").count()) <= 1);
  await shot("fixed");
  await page.keyboard.press("Control+Z");
  await until("the undo", async () => (await window.text()) === before);

  // Unsaved text counts.
  await window.goTo(7, 1);
  await page.keyboard.press("Control+Shift+K");
  await window.openFile("main.tf", 11, 3);
  await until("the hint to go", async () => !/← local_override\.tf:7/.test(await window.text()));
}

async function completion({ window, shot }) {
  const { page } = window;
  await window.openFile("local_override.tf", 8, 24);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Space");
  await window.sees(".suggest-widget .monaco-list-row", "ami");
  await shot("completion");
}

/** Both servers answer, and neither takes anything from the other. */
async function beside({ window, shot }) {
  const { page } = window;
  await window.openFile("variables.tf", 1, 12);
  await window.sees(hints, /variable "region"/);
  await window.openFile("main.tf", 2, 5);
  await window.sees(hints, /← replaced by local_override\.tf:3/);
  const hover = ".monaco-hover:not(.hidden)";
  await until("the hovers of both", async () => {
    await window.run("Show or Focus Hover");
    await sleep(1000);
    const text = await page.locator(hover).first().innerText().catch(() => "");
    return text.includes("local_override.tf:3") && /backend.*Block/s.test(text);
  });
  await shot("hover");
  await page.keyboard.press("Escape");

  await window.openFile("local_override.tf", 10, 5);
  await window.appears(".squiggly-warning");
  await page.keyboard.press("Control+Shift+M");
  await window.sees(problems, "drops encrypted");
  await shot("findings");
  await page.keyboard.press("Control+Shift+M");
  await window.goTo(8, 24);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Space");
  await window.sees(".suggest-widget .monaco-list-row", "ami");
  await window.sees(".suggest-widget .monaco-list-row", "depends_on");
  await shot("completion");
}

async function says(window, text) {
  await window.openFile("main.tf");
  await window.sees(messages, text);
}

const writeTask = ({ folder }) => {
  mkdirSync(join(folder, ".vscode"));
  const command = process.env.TOFUMERGE ?? "tofumerge";
  const task = {
    label: "tofumerge check",
    type: "process",
    command,
    args: ["check", "-r", ".", "--deny-overrides"],
    options: { env: { COLUMNS: "4000" } },
    problemMatcher: ["$tofumerge", "$tofumerge-file"],
    presentation: { reveal: "never" },
  };
  writeFileSync(join(folder, ".vscode", "tasks.json"), JSON.stringify({ version: "2.0.0", tasks: [task] }));
};

/** Colors for the tokens of both extensions. */
const tokenColors = {
  "editor.semanticTokenColorCustomizations": {
    enabled: true,
    rules: { "*.overridden": { strikethrough: true }, macro: { underline: true } },
  },
};

/** Counts the words of the editor that have a decoration. */
const decorated = (window, kind) =>
  window.page.$$eval(
    `${active} .view-line span`,
    (list, k) => list.filter((e) => e.children.length === 0 && getComputedStyle(e).textDecorationLine.includes(k)).length,
    kind,
  );

/** A program that isn't a server, for the setting tofumerge.path. */
const writeProgram = (path, script) => {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
};

/** A window with nothing but editors. */
const bare = {
  "breadcrumbs.enabled": false,
  "editor.folding": false,
  "editor.fontSize": 12,
  "editor.glyphMargin": false,
  "editor.lineHeight": 18,
  "editor.scrollBeyondLastLine": false,
  "workbench.activityBar.location": "hidden",
  "workbench.layoutControl.enabled": false,
  "workbench.statusBar.visible": false,
};

/** The pictures of the README. */
async function pictures({ window, shot }) {
  const { page } = window;
  await page.setViewportSize({ width: 1280, height: 460 });
  await page.keyboard.press("Control+B");
  await window.openFile("main.tf", 11, 1);
  await window.sees(hints, /← local_override\.tf:7/);
  await window.run("Tofumerge: Show Effective Configuration");
  await until("the effective text", async () => (await textOf(window, 1)).includes('"t3.micro"'));
  await page.mouse.move(5, 5);
  await shot("effective");

  await window.run("View: Close All Editors");
  await page.setViewportSize({ width: 860, height: 400 });
  await window.openFile("local_override.tf", 10, 5);
  await window.appears(".squiggly-warning");
  await window.sees(hints, /was "m5\.large"/);
  await page.keyboard.press("Control+.");
  await window.appears(".action-widget");
  await shot("quickfix");
}

export const scenarios = [
  { name: "tour", what: "hints, hover, effective configuration", body: tour },
  { name: "glance", what: "several override files at a glance", module: "test/e2e/modules/shop", body: glance },
  { name: "findings", what: "findings, quick fix, undo", body: findings },
  { name: "picture", what: "pictures for the README", settings: bare, body: pictures },
  { name: "completion", what: "completion in an override file", body: completion },
  {
    name: "tokens",
    what: "semantic tokens mark what is overridden",
    settings: { "tofumerge.semanticTokens.enabled": true, ...tokenColors },
    body: async ({ window, shot }) => {
      await window.openFile("main.tf", 9, 1);
      await until("words struck through", async () => (await decorated(window, "line-through")) >= 3);
      await shot("shown");
    },
  },
  {
    name: "tokens-beside",
    what: "semantic tokens of another extension are left alone",
    tokens: true,
    settings: tokenColors,
    body: async ({ window, shot }) => {
      await window.openFile("main.tf", 9, 1);
      await window.sees(hints, /← local_override\.tf:7/);
      await until("a word underlined", async () => (await decorated(window, "underline")) >= 1);
      await shot("shown");
    },
  },
  {
    name: "tokens-both",
    what: "of two extensions with semantic tokens, VS Code asks one",
    tokens: true,
    settings: { "tofumerge.semanticTokens.enabled": true, ...tokenColors },
    body: async ({ window, shot }) => {
      await window.openFile("main.tf", 9, 1);
      await window.sees(hints, /← local_override\.tf:7/);
      await shot("shown");
      const ours = await decorated(window, "line-through"), theirs = await decorated(window, "underline");
      console.log(`        ours: ${ours}, theirs: ${theirs}`);
      assert.ok((ours > 0) !== (theirs > 0));
    },
  },
  {
    name: "crash",
    what: "a server that doesn't come up, and a restart with one that does",
    prepare: ({ home }) => {
      const path = join(home, "tofumerge");
      writeProgram(path, '[ "$1" = help ] || { echo "out of luck" >&2; exit 1; }');
      return { "tofumerge.path": path };
    },
    body: async ({ window, home, shot }) => {
      await says(window, "didn't start");
      await shot("message");
      writeProgram(join(home, "tofumerge"), `exec '${process.env.TOFUMERGE ?? "tofumerge"}' "$@"`);
      await window.run("Notifications: Clear All Notifications");
      await window.run("Tofumerge: Restart Server");
      await window.openFile("main.tf", 11, 1);
      await window.sees(hints, /← local_override\.tf:7/);
    },
  },
  {
    name: "crashes",
    what: "a server that dies and doesn't come up again, and one restart with one that does",
    prepare: ({ home }) => {
      const path = join(home, "tofumerge");
      writeProgram(path, `[ "$1" = help ] || echo $$ > '${join(home, "pid")}'; exec '${process.env.TOFUMERGE ?? "tofumerge"}' "$@"`);
      return { "tofumerge.path": path };
    },
    body: async ({ window, home, shot }) => {
      const path = join(home, "tofumerge");
      await window.openFile("main.tf", 11, 1);
      await window.sees(hints, /← local_override\.tf:7/);
      writeProgram(path, '[ "$1" = help ]');
      process.kill(Number(readFileSync(join(home, "pid"), "utf8")));
      await window.sees(messages, "crashed and doesn't start again");
      await until("the hint to go", async () => !/← local_override\.tf:7/.test(await window.text()));
      await shot("message");
      assert.equal(await window.page.locator(messages).filter({ hasText: /stream|Code:/ }).count(), 0);
      writeProgram(path, `exec '${process.env.TOFUMERGE ?? "tofumerge"}' "$@"`);
      await window.run("Notifications: Clear All Notifications");
      await window.run("Tofumerge: Restart Server");
      await window.sees(hints, /← local_override\.tf:7/);
      assert.equal(await window.page.locator(messages).count(), 0);
    },
  },
  {
    name: "beside",
    what: "beside HashiCorp's extension and its server",
    beside: true,
    settings: { "telemetry.telemetryLevel": "off" },
    body: beside,
  },
  { name: "plain", what: "without any extension that defines the language", plain: true, body: tour },
  {
    name: "action",
    what: "the actions on a whole file",
    body: async ({ window, shot }) => {
      const { page } = window;
      await window.openFile("main.tf", 11, 5);
      await window.sees(hints, /← local_override\.tf:7/);
      await window.run("Source Action...");
      await window.appears(".action-widget");
      await shot("menu");
      const row = page.locator(".action-widget .monaco-list-row.action", { hasText: /effective configuration/i });
      const index = await row.first().evaluate((e) => [...e.parentElement.querySelectorAll(".action")].indexOf(e));
      for (let i = 0; i < index; i++) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await until("the effective text", async () => (await textOf(window, 1)).includes('"t3.micro"'));
      await shot("shown");
    },
  },
  {
    name: "json",
    what: "a module in JSON, which is refused for a while",
    prepare: ({ folder }) => {
      mkdirSync(join(folder, "queue"));
      const write = (name, value) => writeFileSync(join(folder, "queue", name), `${JSON.stringify(value, null, 2)}\n`);
      write("queue.tf.json", { resource: { aws_sqs_queue: { jobs: { name: "jobs", delay_seconds: 5 } } } });
      write("queue_override.tf.json", { resource: { aws_sqs_queue: { jobs: { delay_seconds: 0 } } } });
    },
    body: async ({ window, shot }) => {
      const { page } = window;
      await window.openFile("queue.tf.json", 6, 12);
      await window.sees(hints, /← queue_override\.tf\.json:5/);
      await window.run("Tofumerge: Show Effective Configuration");
      await until("the effective text", async () => (await textOf(window, 1)).includes('"delay_seconds": 0'));
      await shot("effective");
      await window.openFile("queue.tf.json", 1, 2);
      await page.keyboard.type("!");
      await until("the reason", async () => (await textOf(window, 1)).includes("refuses this module"));
      await shot("refused");
      await page.keyboard.press("Backspace");
      await until("the effective text again", async () => !(await textOf(window, 1)).includes("refuses"));
    },
  },
  {
    name: "off",
    what: "settings that switch hints, lenses and findings off",
    settings: { "tofumerge.inlayHints.enabled": false, "tofumerge.codeLens.enabled": false, "tofumerge.minSeverity": "error" },
    body: async ({ window, shot }) => {
      await window.openFile("local_override.tf", 7, 5);
      await window.run("Tofumerge: Explain Here");
      await window.sees(".monaco-hover:not(.hidden)", "m5.large");
      await shot("quiet");
      assert.ok(!/was|no effect/.test(await window.text()));
      assert.equal(await window.page.locator(".squiggly-warning").count(), 0);
      assert.equal(await window.page.locator(".contentWidgets a", { hasText: "overrides" }).count(), 0);
    },
  },
  {
    name: "missing",
    what: "no program",
    settings: { "tofumerge.path": "tofumerge-that-nobody-has" },
    body: async ({ window, shot }) => {
      await says(window, "can't find the program tofumerge-that-nobody-has. Install tofumerge, or set tofumerge.path.");
      await shot("message");
      // A command says the same, with the same buttons.
      await window.run("Notifications: Clear All Notifications");
      await until("the message to go", async () => (await window.page.locator(messages).count()) === 0);
      await window.run("Tofumerge: Show Effective Configuration");
      await window.sees(messages, "can't find the program");
      await window.sees(".notifications-toasts .monaco-button", "How to Install");
    },
  },
  {
    name: "old",
    what: "a program without a language server",
    prepare: ({ home }) => {
      const path = join(home, "tofumerge");
      writeProgram(path, '[ "$1" = version ]');
      return { "tofumerge.path": path };
    },
    body: async ({ window, shot }) => {
      await says(window, "has no language server. Install a newer one.");
      await shot("message");
    },
  },
  {
    name: "restricted",
    what: "a workspace that isn't trusted doesn't choose the program",
    settings: { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" },
    prepare: ({ folder, home }) => {
      writeProgram(join(folder, "evil"), `touch '${join(home, "shop", "ran.txt")}'`);
      mkdirSync(join(folder, ".vscode"));
      writeFileSync(join(folder, ".vscode", "settings.json"), JSON.stringify({ "tofumerge.path": join(folder, "evil") }));
    },
    body: async ({ window, folder, shot }) => {
      const { existsSync } = await import("node:fs");
      await window.openFile("main.tf", 11, 5);
      await window.sees(hints, /← local_override\.tf:7/);
      await window.sees(".statusbar", "Restricted Mode");
      await shot("hints");
      assert.ok(!existsSync(join(folder, "ran.txt")));
    },
  },
  {
    name: "task",
    what: "the problem matchers on a task that runs check",
    settings: { "task.allowAutomaticTasks": "on" },
    prepare: writeTask,
    body: async ({ window, shot }) => {
      await until("the list of tasks", async () => {
        await window.page.keyboard.press("Escape");
        await window.run("Tasks: Run Task");
        await sleep(1000);
        return (await window.page.locator(".quick-input-list .monaco-list-row", { hasText: "tofumerge check" }).count()) > 0;
      });
      await window.page.keyboard.type("tofumerge check");
      await window.page.keyboard.press("Enter");
      await window.page.keyboard.press("Control+Shift+M");
      await window.sees(problems, "drops encrypted");
      await window.sees(problems, "denies override files");
      await shot("problems");
      // In an open file, only the server's findings are listed.
      await window.openFile("local_override.tf");
      await until("one finding of each kind", async () => {
        const rows = await window.page.locator(problems, { hasText: "drops encrypted" }).allInnerTexts();
        return rows.length === 1 && !rows[0].includes("tofumerge check");
      });
      await shot("open");
    },
  },
];
