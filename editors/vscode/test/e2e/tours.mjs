// The long scenarios, which go through what a module with overrides shows.
import assert from "node:assert/strict";
import { until } from "./editor.mjs";
import { annotated, group, hints, problems, textOf } from "./parts.mjs";

/** Everything that a module with overrides shows. */
export async function tour({ window, scene }) {
  const { page } = window;
  await window.openFile("main.tf", 11, 5);
  await annotated(window);
  await scene("hints", "each overridden argument ends with the value that replaces it and its place, and the line above the block names each override file with what it changes.");

  await window.run("Tofumerge: Explain Here");
  await window.sees(".monaco-hover:not(.hidden)", "t3.micro");
  await scene("hover", "the hover names the effective value first, then every earlier one with its place, and no fact twice.");
  await page.keyboard.press("Escape");

  // The code lens lists the overrides.
  await page.locator(".contentWidgets a", { hasText: /_override\.tf: / }).last().click();
  await window.appears(".peekview-widget");
  await page.keyboard.press("Escape");

  // The effective configuration opens beside the file, follows edits, and is read-only.
  await window.openFile("main.tf", 10, 20);
  await window.run("Tofumerge: Show Effective Configuration");
  await window.appears('.tab[aria-label*="effective: web"]');
  await until("the effective text", async () => (await textOf(window, 1)).includes('"t3.micro"'));
  await page.keyboard.press("End");
  await page.keyboard.type(" # the newest");
  await until("the edit in the effective text", async () => (await textOf(window, 1)).includes("# the newest"));
  await page.locator(group(1)).locator(".view-lines").click();
  await page.keyboard.type("x");
  await window.sees(".monaco-editor-overlaymessage", /read-only/i);
  assert.ok(!(await textOf(window, 1)).includes("x "));
  await page.keyboard.press("Control+W");
  await window.openFile("main.tf");
  await window.run("File: Revert File");

  await window.run("Tofumerge: Compare with Effective Configuration");
  await window.appears(".monaco-diff-editor .char-insert, .monaco-diff-editor .line-insert");
  await scene("compare", "the two sides differ only in the lines that overrides change, and the right side has no marks.");
  assert.ok(!(await page.locator(".monaco-diff-editor .modified .view-lines").innerText()).includes("variable"));
  await page.keyboard.press("Control+W");
}

/** Two override files that replace, drop and add, and one that another one supersedes. */
export async function glance({ window, scene }) {
  const { page } = window;
  await window.openFile("main.tf", 1, 1);
  await window.sees(hints, "dropped by z_override.tf:5");
  await window.sees(".contentWidgets", /z_override\.tf: /);
  await scene("primary", "replaced text is faded, dropped text is struck through with the file that drops it, and what is added stands at the end of its block.");
  await window.openFile("local_override.tf", 1, 1);
  await window.sees(hints, "t3.small");
  await window.sees(".contentWidgets", "overrides main.tf:1");

  await window.openFile("main.tf", 1, 1);
  await window.run("Tofumerge: Show Effective Configuration");
  await until("the effective text", async () => (await textOf(window, 1)).includes('"t3.micro"'));

  // Nothing is cut, however narrow the pane is.
  const pane = page.locator(group(1));
  const edge = await pane.evaluate((e) => e.getBoundingClientRect().right);
  const ends = await pane.locator(".view-line > span").evaluateAll((list) => list.map((e) => e.getBoundingClientRect().right));
  assert.ok(Math.max(...ends) <= edge, `a line ends at ${Math.max(...ends)}, the pane at ${edge}`);

  // It scrolls with the file.
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.keyboard.press("Control+End");
  await until("the end of the effective text", async () => !(await textOf(window, 1)).includes('provider "aws"'));
  await page.keyboard.press("Control+Home");
  await until("the start of the effective text", async () => (await textOf(window, 1)).includes('provider "aws"'));

  // Each mark links to its origin.
  const origin = pane.locator(".detected-link", { hasText: "local_override.tf:11" }).first();
  await origin.click({ modifiers: ["Control"] });
  await window.appears('.tab.active[aria-label*="local_override.tf"]', "the tab of the origin");
  await window.sees(".statusbar", "Ln 11");
}

/** Findings and quick fixes. */
export async function findings({ window, scene }) {
  const { page } = window;
  await window.openFile("local_override.tf", 10, 5);
  await window.appears(`.monaco-editor .squiggly-warning`);
  await page.keyboard.press("Control+Shift+M");
  await window.sees(problems, "drops encrypted");
  await window.sees(problems, "lifecycle.enabled");
  await scene("findings", "Problems lists what an override drops and what has no effect, and the editor underlines the same lines.");
  await page.keyboard.press("Control+Shift+M");

  await window.openFile("local_override.tf", 10, 5);
  const before = await window.text();
  await page.keyboard.press("Control+.");
  await window.appears(".action-widget");
  await window.appears(".action-widget .monaco-list-row.focused[aria-label^='Repeat here']");
  await page.keyboard.press("Enter");
  await until("the quick fix", async () => /encrypted\s+= true/.test(await window.text()));
  await until("the finding to go", async () => (await page.locator(".squiggly-warning").count()) <= 1);
  await page.keyboard.press("Control+Z");
  await until("the undo", async () => (await window.text()) === before);

  // Unsaved text counts.
  await window.goTo(7, 1);
  await page.keyboard.press("Control+Shift+K");
  await window.openFile("main.tf", 11, 3);
  await until("the hint to go", async () => !/← .*local_override\.tf:7/.test(await window.text()));
}

export async function completion({ window, scene }) {
  const { page } = window;
  await window.openFile("local_override.tf", 8, 24);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Space");
  await window.sees(".suggest-widget .monaco-list-row", "ami");
  await scene("completion", "completion in an override block offers the arguments of the block that it overrides, with their values.");
}

/** A window with nothing but editors. */
export const bare = {
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
export async function pictures({ window, scene }) {
  const { page } = window;
  await page.setViewportSize({ width: 1280, height: 460 });
  await page.keyboard.press("Control+B");
  await window.openFile("main.tf", 11, 1);
  await annotated(window);
  await window.run("Tofumerge: Show Effective Configuration");
  await until("the effective text", async () => (await textOf(window, 1)).includes('"t3.micro"'));
  await page.mouse.move(5, 5);
  await scene("effective", "beside the file, the pane shows the merged module: marks above the lines that are too long for it, and no value is broken.");

  await window.run("View: Close All Editors");
  await page.setViewportSize({ width: 860, height: 400 });
  await window.openFile("local_override.tf", 10, 5);
  await window.appears(".squiggly-warning");
  await window.sees(hints, /was "m5\.large"/);
  await page.keyboard.press("Control+.");
  await window.appears(".action-widget");
  await scene("quickfix", "the first offer is to repeat what the override drops.");
}
