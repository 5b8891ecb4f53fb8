// Starts code-server, which is VS Code behind a web page, and drives it in Chromium.
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { chromium } from "playwright-core";

/** How long to wait for anything. A loaded machine needs minutes where an idle one needs a second. */
const patience = Number(process.env.PATIENCE ?? 300) * 1000;

/** Runs a script in node, and any other program directly. */
const command = (program, args) => (/\.[cm]?js$/.test(program) ? [process.execPath, [program, ...args]] : [program, args]);

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Calls check until it returns something truthy. Fails with what it waited for. A long wait is
 * printed while it lasts.
 */
export async function until(what, check, ms = patience) {
  const start = Date.now();
  let next = 10_000;
  for (;;) {
    const found = await check();
    if (found) return found;
    const waited = Date.now() - start;
    if (waited > ms) throw new Error(`waited ${Math.round(waited / 1000)} s in vain for ${what}`);
    if (waited > next) {
      console.log(`        waiting for ${what} (${Math.round(waited / 1000)} s)`);
      next *= 2;
    }
    await sleep(100);
  }
}

export class CodeServer {
  constructor(program, home, settings) {
    this.program = program;
    this.data = join(home, "data");
    this.extensions = join(home, "extensions");
    this.log = join(home, "code-server.log");
    for (const level of ["User", "Machine"]) mkdirSync(join(this.data, level), { recursive: true });
    mkdirSync(this.extensions, { recursive: true });
    this.values = {};
    this.settings(settings);
  }

  /** Adds settings for the user and the machine: on a server, only the latter may name programs. */
  settings(values) {
    Object.assign(this.values, values);
    for (const level of ["User", "Machine"]) {
      const path = join(this.data, level, "settings.json");
      writeFileSync(`${path}.new`, JSON.stringify(this.values, null, 2));
      renameSync(`${path}.new`, path);
    }
  }

  /** Starts the program with its directories and more arguments. Its output goes to the log. */
  launch(...more) {
    const [program, args] = command(this.program, ["--user-data-dir", this.data, "--extensions-dir", this.extensions, ...more]);
    const log = openSync(this.log, "a");
    const child = spawn(program, args, { stdio: ["ignore", log, log], env: { ...process.env, ...this.environment } });
    closeSync(log);
    return child;
  }

  /** The last lines of the log, for messages. */
  said() {
    return readFileSync(this.log, "utf8").trimEnd().split("\n").slice(-20).join("\n");
  }

  async install(vsix) {
    const child = this.launch("--install-extension", vsix);
    await until(`the installation of ${vsix}`, () => child.exitCode !== null);
    if (child.exitCode !== 0) throw new Error(`${vsix} can't be installed:\n${this.said()}`);
  }

  async start() {
    this.port = await freePort();
    this.process = this.launch("--auth", "none", "--bind-addr", `127.0.0.1:${this.port}`, "--disable-telemetry",
      "--disable-update-check", "--disable-getting-started-override");
    await until("code-server", () => {
      if (this.process.exitCode !== null) throw new Error(`code-server ended:\n${this.said()}`);
      return fetch(`http://127.0.0.1:${this.port}/healthz`).then((r) => r.ok, () => false);
    });
  }

  async stop() {
    if (this.process?.exitCode !== null) return;
    this.process.kill();
    await until("the end of code-server", () => this.process.exitCode !== null || this.process.signalCode !== null, 20_000)
      .catch(() => this.process.kill("SIGKILL"));
  }
}

/** A window of the editor. */
export class Window {
  static async open(server, folder, browser) {
    const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
    page.setDefaultTimeout(patience);
    await page.goto(`http://127.0.0.1:${server.port}/?folder=${encodeURIComponent(folder)}`);
    const window = new Window(page);
    await window.appears(".monaco-workbench .part.editor", "the window");
    return window;
  }

  constructor(page) {
    this.page = page;
  }

  /** Waits until something that a selector finds is visible, and returns it. */
  async appears(selector, what = selector) {
    const found = this.page.locator(selector).first();
    await until(what, () => found.isVisible());
    return found;
  }

  /** Waits until nothing that a selector finds is visible. */
  goes(selector, what = selector) {
    return until(`the end of ${what}`, async () => {
      for (const found of await this.page.locator(selector).all()) {
        if (await found.isVisible()) return false;
      }
      return true;
    });
  }

  /** Runs a command by its title in the palette. */
  async run(title) {
    await this.choose("F1", title);
    await this.goes(".quick-input-widget", "the palette");
  }

  /** Opens a file by its name, at a line and column if they are given. */
  async openFile(name, line, column = 1) {
    await this.choose("Control+P", name);
    await this.appears(`.tab.active[aria-label*=${JSON.stringify(name)}]`, `the tab of ${name}`);
    await this.appears(".editor-group-container.active .monaco-editor .view-line", `the text of ${name}`);
    if (line !== undefined) await this.goTo(line, column);
  }

  /** Chooses an entry of the list that a key opens. A new window may lose keys, so it tries again, each time with more patience. */
  async choose(key, text) {
    const input = this.page.locator(".quick-input-box input");
    const row = this.page.locator(`.quick-input-list .monaco-list-row.focused[aria-label*=${JSON.stringify(text)}]`).first();
    let timeout = 3000;
    await until(`${text} in the list of ${key}`, async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press(key);
      try {
        await input.waitFor({ timeout });
        await this.page.keyboard.type(text);
        await row.waitFor({ timeout });
        return true;
      } catch {
        timeout *= 2;
        return false;
      }
    });
    await this.page.keyboard.press("Enter");
  }

  async goTo(line, column = 1) {
    await this.page.keyboard.press("Control+G");
    await this.appears(".quick-input-box input", "the box for a line");
    await this.page.keyboard.type(`${line}:${column}`);
    await this.appears(`.quick-input-list .monaco-list-row[aria-label*="line ${line}"]`, `line ${line} in the box`);
    await this.page.keyboard.press("Enter");
    await this.goes(".quick-input-widget", "the box for a line");
    await sleep(300);
  }

  /** The text of an editor as on the screen, including hints. */
  text(selector = ".editor-group-container.active .monaco-editor .view-lines") {
    return this.page.evaluate((s) => {
      const lines = [...document.querySelectorAll(`${s} .view-line`)];
      lines.sort((a, b) => parseInt(a.style.top) - parseInt(b.style.top));
      return lines.map((line) => line.textContent.replaceAll("\u00a0", " ")).join("\n");
    }, selector);
  }

  /** Waits for a text in something that a selector finds. */
  sees(selector, text) {
    return until(`${text} in ${selector}`, async () => {
      const all = await this.page.$$eval(selector, (list) => list.map((e) => e.textContent.replaceAll("\u00a0", " ")));
      return all.some((t) => (text instanceof RegExp ? text.test(t) : t.includes(text)));
    });
  }
}

export function launchBrowser(executablePath) {
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"], timeout: patience });
}
