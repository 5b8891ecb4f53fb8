// Starts code-server, which is VS Code behind a web page, and drives it in Chromium.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { chromium } from "playwright-core";

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

/** Calls check until it returns something truthy. Fails with what it waited for. */
export async function until(what, check, ms = 20_000) {
  const end = Date.now() + ms;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await sleep(100);
  }
}

export class CodeServer {
  constructor(program, home) {
    this.program = program;
    this.data = join(home, "data");
    this.extensions = join(home, "extensions");
    for (const level of ["User", "Machine"]) mkdirSync(join(this.data, level), { recursive: true });
    mkdirSync(this.extensions, { recursive: true });
  }

  /** Writes settings for the user and the machine: on a server, only the latter may name programs. */
  settings(values) {
    for (const level of ["User", "Machine"]) {
      writeFileSync(join(this.data, level, "settings.json"), JSON.stringify(values, null, 2));
    }
  }

  install(vsix) {
    const [program, args] = command(this.program, ["--user-data-dir", this.data, "--extensions-dir", this.extensions]);
    execFileSync(program, [...args, "--install-extension", vsix], { stdio: ["ignore", "ignore", "inherit"] });
  }

  async start() {
    this.port = await freePort();
    const [program, args] = command(this.program, ["--user-data-dir", this.data, "--extensions-dir", this.extensions]);
    this.process = spawn(
      program,
      [...args, "--auth", "none", "--bind-addr", `127.0.0.1:${this.port}`, "--disable-telemetry",
        "--disable-update-check", "--disable-getting-started-override"],
      { stdio: "ignore" },
    );
    await until("code-server", () => fetch(`http://127.0.0.1:${this.port}/healthz`).then((r) => r.ok, () => false));
  }

  async stop() {
    if (this.process?.exitCode === null) {
      const gone = new Promise((resolve) => this.process.once("exit", resolve));
      this.process.kill();
      await gone;
    }
  }
}

/** A window of the editor. */
export class Window {
  static async open(server, folder, browser) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
    await page.goto(`http://127.0.0.1:${server.port}/?folder=${encodeURIComponent(folder)}`);
    await page.waitForSelector(".monaco-workbench .part.editor", { timeout: 60_000 });
    return new Window(page);
  }

  constructor(page) {
    this.page = page;
  }

  /** Runs a command by its title in the palette. */
  async run(title) {
    await this.choose("F1", title);
    await sleep(300);
  }

  /** Opens a file by its name, at a line and column if they are given. */
  async openFile(name, line, column = 1) {
    await this.choose("Control+P", name);
    await this.page.waitForSelector(`.tab.active[aria-label*=${JSON.stringify(name)}]`);
    if (line !== undefined) await this.goTo(line, column);
  }

  /** Chooses an entry of the list that a key opens. A new window may not react to the first try. */
  async choose(key, text) {
    const input = this.page.locator(".quick-input-box input");
    const row = this.page.locator(`.quick-input-list .monaco-list-row.focused[aria-label*=${JSON.stringify(text)}]`);
    await until(`${text} in the list of ${key}`, async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press(key);
      try {
        await input.waitFor({ timeout: 2000 });
        await this.page.keyboard.type(text);
        await row.first().waitFor({ timeout: 3000 });
        return true;
      } catch {
        return false;
      }
    });
    await this.page.keyboard.press("Enter");
  }

  async goTo(line, column = 1) {
    await this.page.keyboard.press("Control+G");
    await this.page.waitForSelector(".quick-input-box input", { state: "visible" });
    await this.page.keyboard.type(`${line}:${column}`);
    await this.page.waitForSelector(`.quick-input-list .monaco-list-row[aria-label*="line ${line}"]`);
    await this.page.keyboard.press("Enter");
    await this.page.waitForSelector(".quick-input-widget", { state: "hidden" });
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

  sees(selector, text, ms) {
    return until(`${text} in ${selector}`, async () => {
      const all = await this.page.$$eval(selector, (list) => list.map((e) => e.textContent.replaceAll("\u00a0", " ")));
      return all.some((t) => (text instanceof RegExp ? text.test(t) : t.includes(text)));
    }, ms);
  }
}

export function launchBrowser(executablePath) {
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
