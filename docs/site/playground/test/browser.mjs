// Browsers for tests: those that are installed, through WebDriver BiDi.
import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { serve } from "../serve.mjs";

const candidates = {
  chrome: [process.env.CHROME, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
  firefox: [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"],
};

/** The browsers that are installed, by name. */
export const browsers = Object.fromEntries(Object.entries(candidates)
  .map(([name, paths]) => [name, paths.find((path) => path && existsSync(path))])
  .filter(([, path]) => path));

/** Starts a browser and a server for the page. */
export async function start(name) {
  const server = await serve();
  const browser = await puppeteer.launch({
    browser: name, executablePath: browsers[name], headless: true, protocolTimeout: 120_000, timeout: 120_000,
    args: name === "chrome" ? ["--no-sandbox", "--disable-dev-shm-usage"] : [],
  });
  const url = `http://127.0.0.1:${server.address().port}/playground/`;
  return {
    browser, url,
    async stop() {
      await browser.close();
      server.close();
    },
  };
}

/** Opens the page. Violations of its policy, and errors, are collected in complaints. */
export async function open(session, suffix = "", viewport = { width: 1400, height: 900 }, features = []) {
  const page = await session.browser.newPage();
  page.setDefaultTimeout(60_000);
  await page.setViewport(viewport);
  if (features.length > 0) {
    await page.emulateMediaFeatures(features);
  }
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warn", "warning"].includes(message.type())) {
      complaints.push(message.text());
    }
  });
  await page.evaluateOnNewDocument(() => {
    globalThis.violations = [];
    addEventListener("securitypolicyviolation", (event) => globalThis.violations.push(`${event.violatedDirective}: ${event.blockedURI}`));
  });
  await page.goto(session.url + suffix);
  return { page, complaints };
}

/** Waits until the status matches. */
export const settled = (page, pattern) => page.waitForFunction(
  (source) => document.getElementById("panel").ariaBusy === "false" && new RegExp(source).test(document.getElementById("status").textContent),
  { polling: 30 }, pattern.source,
);

export const textOf = (page, selector) => page.$eval(selector, (e) => e.textContent);

/** The text and the cursor of the editor, which is in a shadow root. */
export const editorText = (page) => page.evaluate(() => document.getElementById("editor").shadowRoot.querySelector(".cm-content").innerText);

export async function focusEditor(page) {
  await page.evaluate(() => document.getElementById("editor").shadowRoot.querySelector(".cm-content").focus());
}
