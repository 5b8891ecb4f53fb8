// Builds the site: the newest release at its root, each minor version below its name, and main.
// Before the first release, main is at the root.
//
//   SITE_URL=https://example.org/docs/ npm run build
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addressOf, filesBelow, rulesIn, writePages } from "./pages.mjs";
import { extract, filesAt, helpOf, minorReleases, releasesOf } from "./versions.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const repository = join(here, "..", "..");
const work = join(here, ".work");
const out = join(here, "dist");

const url = new URL(process.env.SITE_URL ?? "https://tofumerge.github.io/tofumerge/");
const root = url.pathname.replace(/\/*$/, "/");

const { renamed } = JSON.parse(readFileSync(join(here, "rules.json"), "utf8"));

/** build makes one version at one address. */
function build(version, base, versions) {
  const settings = {
    ...version,
    base,
    root,
    site: url.origin,
    playground: `${root}playground/`,
    stories: JSON.parse(readFileSync(join(here, "playground", "stories", "stories.json"), "utf8")),
    light: lightColours(),
    versions: versions.map(({ name }) => ({ name, base: `${root}${name}/` })),
  };
  const directory = join(work, base === root ? "root" : version.name, "site");
  settings.sidebar = writePages(settings, version.source, directory);
  settings.redirects = redirectsFor(version, base);
  if (base !== root) settings.redirects["/playground"] = settings.playground;
  settings.pages = join(directory, "pages");
  settings.public = join(directory, "public");
  settings.out = join(out, base.slice(root.length));
  mkdirSync(settings.public, { recursive: true });
  cpSync(join(here, "..", "..", "editors", "vscode", "images", "icon.svg"), join(settings.public, "favicon.svg"));
  const file = join(directory, "settings.json");
  writeFileSync(file, JSON.stringify(settings));
  const astro = join(here, "node_modules", "astro", "bin", "astro.mjs");
  const { status } = spawnSync(process.execPath, [astro, "build", "--root", here, "--silent"], {
    stdio: "inherit",
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", SITE_SETTINGS: file },
  });
  if (status !== 0) throw new Error(`astro fails for ${base}`);
  for (const name of filesBelow(settings.out).filter((name) => name.endsWith(".html"))) {
    const page = join(settings.out, name);
    writeFileSync(page, withoutTheme(readFileSync(page, "utf8")));
  }
  console.log(`${base}: ${version.name}`);
}

/** redirectsFor returns the redirects of a version, from the other names of its rules. */
function redirectsFor(version, base) {
  const rules = rulesIn(version.files);
  const pairs = Object.entries(renamed).map(([from, to]) => (rules.includes(from) ? [to, from] : [from, to]));
  return Object.fromEntries(pairs.filter(([, to]) => rules.includes(to)).map(([from, to]) => [`/rules/${from}`, `${base}rules/${to}/`]));
}

/** withoutTheme lets the system choose the theme of a page until a script does. */
function withoutTheme(html) {
  return html.replace(/(<html[^>]*) data-theme="dark"/, "$1");
}

/** lightColours returns Starlight's colours for the light theme, which it applies by a script only. */
function lightColours() {
  const css = readFileSync(join(here, "node_modules", "@astrojs", "starlight", "dist", "style", "props.css"), "utf8");
  const found = /:root\[data-theme='light'\][^{]*\{([^}]*)\}/.exec(css);
  if (found === null) throw new Error("Starlight's light colours have moved");
  return found[1].replace(/\/\*.*?\*\//gs, "").replace(/\s+/g, " ");
}

/** lostRules lists the pages of rules that a release had, and that would be at no address now. */
function lostRules(tags, versions) {
  const kept = new Set([...rulesIn(versions[0].files), ...Object.keys(renamed)]);
  return tags.flatMap((tag) => rulesIn(filesAt(repository, tag)).filter((rule) => !kept.has(rule)).map((rule) => `${rule} of ${tag}`));
}

rmSync(out, { recursive: true, force: true });
rmSync(work, { recursive: true, force: true });
const tags = releasesOf(repository);
const versions = [...minorReleases(tags), { name: "main", tag: null }];
for (const version of versions) {
  version.source = join(work, version.name, "source");
  extract(repository, version, version.source);
  version.files = new Set(filesBelow(version.source));
  version.help = helpOf(repository, version);
}
const [newest] = versions;
const lost = lostRules(tags, versions);
if (lost.length > 0) throw new Error(`${newest.name} has no page for these rules; write their new names to docs/site/rules.json: ${lost.join(", ")}`);
const addresses = [...newest.files].map(addressOf).filter((address) => address !== undefined);
for (const version of versions) {
  version.newest = addresses;
  version.isOld = true;
  if (version.tag === null) version.note = newest === version ? undefined : `These pages describe unreleased changes. <a href="${root}">The newest release</a> is ${newest.name}.`;
  else if (version !== newest) version.note = `These pages describe ${version.name}. <a href="${root}">The newest release</a> is ${newest.name}.`;
}
build({ ...newest, isOld: false }, root, versions);
for (const version of versions) build(version, `${root}${version.name}/`, versions);

const playground = join(here, "playground", "dist");
const to = join(out, "playground");
if (existsSync(playground)) cpSync(playground, to, { recursive: true });
else {
  console.log("docs/site/playground/dist is missing: /playground/ is a page that says so");
  mkdirSync(to, { recursive: true });
  cpSync(join(here, "playground-missing.html"), join(to, "index.html"));
}
