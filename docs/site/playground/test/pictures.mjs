// Writes pictures of the page in three widths, light and dark, into a directory.
//
//   node test/pictures.mjs [DIR]
import { mkdirSync } from "node:fs";
import { browsers, open, settled, start } from "./browser.mjs";

const dir = process.argv[2] ?? "out/pictures";
mkdirSync(dir, { recursive: true });
for (const name of Object.keys(browsers)) {
  const session = await start(name);
  for (const scheme of name === "chrome" ? ["light", "dark"] : ["light"]) {
    for (const [width, height] of [[360, 740], [800, 1000], [1400, 900]]) {
      const features = name === "chrome" ? [{ name: "prefers-color-scheme", value: scheme }] : [];
      const { page } = await open(session, "", { width, height }, features);
      await settled(page, /finding|warning|error/);
      for (const view of ["effective", "changes", "check"]) {
        await page.click(`#tab-${view}`);
        await new Promise((resolve) => setTimeout(resolve, 400));
        await page.screenshot({ path: `${dir}/${name}-${width}-${scheme}-${view}.png`, fullPage: width < 1000 });
      }
      await page.close();
    }
  }
  await session.stop();
}
