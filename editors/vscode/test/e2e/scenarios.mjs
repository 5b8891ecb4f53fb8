// The scenarios. Each has a window of its own.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sleep, until } from "./editor.mjs";
import { faults } from "./faults.mjs";
import { annotated, hints, problems, textOf } from "./parts.mjs";
import { bare, completion, findings, glance, pictures, tour } from "./tours.mjs";

/** Both servers answer, and neither takes anything from the other. */
async function beside({ window }) {
  const { page } = window;
  await window.openFile("variables.tf", 1, 12);
  await window.sees(hints, /variable "region"/);
  await window.openFile("main.tf", 2, 5);
  await annotated(window);
  const hover = ".monaco-hover:not(.hidden)";
  await until("the hovers of both", async () => {
    await window.run("Show or Focus Hover");
    await sleep(1000);
    const text = await page.locator(hover).first().innerText().catch(() => "");
    return text.includes("local_override.tf:3") && /backend.*Block/s.test(text);
  });
  await page.keyboard.press("Escape");

  await window.openFile("local_override.tf", 10, 5);
  await window.appears(".squiggly-warning");
  await page.keyboard.press("Control+Shift+M");
  await window.sees(problems, "drops encrypted");
  await window.sees(".contentWidgets", "overrides main.tf:1");
  await page.keyboard.press("Control+Shift+M");
  await window.goTo(8, 24);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Space");
  await window.sees(".suggest-widget .monaco-list-row", "ami");
  await window.sees(".suggest-widget .monaco-list-row", "depends_on");
}

const writeTask = ({ folder }) => {
  mkdirSync(join(folder, ".vscode"));
  const command = process.env.TOFUMERGE ?? "tofumerge";
  const task = {
    label: "tofumerge check",
    type: "process",
    command,
    args: ["check", "-r", ".", "--format", "text", "--deny-overrides"],
    problemMatcher: ["$tofumerge", "$tofumerge-file"],
    presentation: { reveal: "never" },
  };
  writeFileSync(join(folder, ".vscode", "tasks.json"), JSON.stringify({ version: "2.0.0", tasks: [task] }));
};

export const scenarios = [
  { name: "tour", what: "hints, hover, effective configuration", body: tour },
  { name: "glance", what: "several override files at a glance", module: "test/e2e/modules/shop", body: glance },
  { name: "findings", what: "findings, quick fix, undo", body: findings },
  { name: "picture", what: "pictures for the README", settings: bare, body: pictures },
  { name: "completion", what: "completion in an override file", body: completion },
  {
    name: "beside",
    what: "beside HashiCorp's extension and its server",
    beside: true,
    prepare: () => ({ "telemetry.telemetryLevel": "off", "terraform.languageServer.path": process.env.TERRAFORM_LS }),
    body: beside,
  },
  { name: "plain", what: "without any extension that defines the language", plain: true, body: tour },
  {
    name: "action",
    what: "the actions on a whole file",
    body: async ({ window }) => {
      const { page } = window;
      await window.openFile("main.tf", 11, 5);
      await annotated(window);
      await window.run("Source Action...");
      await window.appears(".action-widget");
      const row = page.locator(".action-widget .monaco-list-row.action", { hasText: /effective configuration/i });
      const index = await row.first().evaluate((e) => [...e.parentElement.querySelectorAll(".action")].indexOf(e));
      for (let i = 0; i < index; i++) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await until("the effective text", async () => (await textOf(window, 1)).includes('"t3.micro"'));
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
    body: async ({ window }) => {
      const { page } = window;
      await window.openFile("queue.tf.json", 6, 12);
      await window.sees(hints, /← .*queue_override\.tf\.json:5/);
      await window.run("Tofumerge: Show Effective Configuration");
      await until("the effective text", async () => (await textOf(window, 1)).includes('"delay_seconds": 0'));
      await window.openFile("queue.tf.json", 1, 2);
      await page.keyboard.type("!");
      await until("the reason", async () => (await textOf(window, 1)).replace(/\s+/g, " ").includes("refuses this module"));
      await page.keyboard.press("Backspace");
      await until("the effective text again", async () => !(await textOf(window, 1)).includes("refuses"));
    },
  },
  {
    name: "elsewhere",
    what: "findings of modules without an open file",
    prepare: ({ folder }) => {
      for (let i = 0; i < 50; i++) cpSync(join(folder, "web"), join(folder, `web${i}`), { recursive: true });
    },
    body: async ({ window, scene }) => {
      const { page } = window;
      await window.openFile("local_override.tf", 10, 5);
      await window.appears(".squiggly-warning");
      await window.sees(".statusbar", /\b100 elsewhere/);
      await page.keyboard.press("Control+Shift+M");
      await window.sees(problems, "drops encrypted");
      await scene("status", "Problems lists the findings of the open module alone, and the status bar shows how many there are elsewhere.");
      const before = await page.locator(problems).count();
      await page.locator(".statusbar a", { hasText: "elsewhere" }).click();
      await until("the findings of the other modules", async () => (await page.locator(problems).count()) > before);
      await window.goes(".statusbar a:has-text('elsewhere')", "the number");
    },
  },
  {
    name: "off",
    what: "settings that switch hints, lenses and findings off",
    settings: { "tofumerge.inlayHints.enabled": false, "tofumerge.codeLens.enabled": false, "tofumerge.minSeverity": "error" },
    body: async ({ window }) => {
      await window.openFile("local_override.tf", 7, 5);
      await window.run("Tofumerge: Explain Here");
      await window.sees(".monaco-hover:not(.hidden)", "m5.large");
      assert.ok(!/was|no effect/.test(await window.text()));
      assert.equal(await window.page.locator(".squiggly-warning").count(), 0);
      assert.equal(await window.page.locator(".contentWidgets a", { hasText: "overrides" }).count(), 0);
    },
  },
  {
    name: "task",
    what: "the problem matchers on a task that runs check",
    settings: { "task.allowAutomaticTasks": "on" },
    prepare: writeTask,
    body: async ({ window }) => {
      const row = '.quick-input-list .monaco-list-row[aria-label*="tofumerge check"]';
      await until("the list of tasks", async () => {
        await window.choose("F1", "Tasks: Run Task");
        await sleep(2000);
        return window.page.locator(row).first().isVisible();
      });
      await window.page.keyboard.type("tofumerge check");
      await window.appears(`${row}.focused`, "the task in the list");
      await window.page.keyboard.press("Enter");
      await window.page.keyboard.press("Control+Shift+M");
      await window.sees(problems, "drops encrypted");
      await window.sees(problems, "denies override files");
      // In an open file, only the server's findings are listed.
      await window.openFile("local_override.tf");
      await until("one finding of each kind", async () => {
        const rows = await window.page.locator(problems, { hasText: "drops encrypted" }).allInnerTexts();
        return rows.length === 1 && !rows[0].includes("tofumerge check");
      });
    },
  },
  ...faults,
];
