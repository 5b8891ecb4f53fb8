// Follows every internal link of the built site, with its anchor, from every page.
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LinkChecker } from "linkinator";
import { filesBelow } from "./pages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const { pathname } = new URL(process.env.SITE_URL ?? "https://tofumerge.github.io/tofumerge/");
const base = pathname.replace(/^\/+|\/+$/g, "");
if (!existsSync(join(dist, "index.html"))) throw new Error("dist is missing: npm run build");

// The site is served at its own path, so that a link without it is found.
const server = join(here, ".work", "server");
rmSync(server, { recursive: true, force: true });
mkdirSync(dirname(join(server, base)), { recursive: true });
symlinkSync(dist, join(server, base), "dir");

const pages = filesBelow(dist).filter((file) => file.endsWith(".html"));
const { links } = await new LinkChecker().check({
  path: pages.map((file) => join(base, file)),
  serverRoot: server,
  checkFragments: true,
  fragmentsToSkip: ["^story="], // the playground reads these
  concurrency: 20,
  linksToSkip: async (link) => !/^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(link),
});
const internal = links.filter((link) => link.state !== "SKIPPED");
const dead = internal.filter((link) => link.state === "BROKEN");
for (const { url, parent, status } of dead) console.error(`${parent}: ${url}: ${status === 200 ? "no such anchor" : status}`);
console.log(`${pages.length} pages, ${internal.length} internal links, ${dead.length} dead`);
process.exitCode = dead.length === 0 && internal.length > pages.length ? 0 : 1;
