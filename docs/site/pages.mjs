// Makes the pages of the site from the Markdown of the docs, which stays as the forge shows it: titles
// come from headings, and links between files become links between pages.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join, posix } from "node:path";

export const forge = "https://github.com/tofumerge/tofumerge";

/** addressOf returns the address of the page that a Markdown file becomes, below the version's; undefined if it becomes none. */
export function addressOf(path) {
  switch (path) {
    case "docs/README.md":
      return "";
    case "README.md":
      return "start/";
    case "CHANGELOG.md":
      return "changelog/";
  }
  if (!path.startsWith("docs/") || extname(path) !== ".md") return undefined;
  return path.slice("docs/".length, -".md".length).replace(/(^|\/)README$/, "") + "/";
}

/** filesBelow lists the files below a directory, with slashes. */
export function filesBelow(directory, prefix = "") {
  return readdirSync(join(directory, prefix), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(directory, `${prefix}${entry.name}/`) : `${prefix}${entry.name}`,
  );
}

// A fence, an indented block behind a blank line, or code in a line: no link is in any of them.
const code = /^( *)(`{3,})[^\n]*\n[\s\S]*?\n\1\2 *$|(?<=\n\n)(?: {4}[^\n]*\n|\n)+|`[^`\n]+`/gm;

/** outsideCode replaces text that isn't code. */
export function outsideCode(text, replace) {
  let result = "";
  let at = 0;
  for (const match of text.matchAll(code)) {
    result += replace(text.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  return result + replace(text.slice(at));
}

/** linkFor returns the link on the site for a link in a file of the repository. */
export function linkFor(version, from, to) {
  if (/^[a-z]+:|^#/.test(to)) return to;
  const [file, anchor] = to.split(/(?=#)/);
  const path = posix.join(posix.dirname(from), file);
  const address = version.files.has(path) ? addressOf(path) : undefined;
  if (address !== undefined) return version.base + address + (anchor ?? "");
  if (version.files.has(path) && /\.(svg|png|json)$/.test(path)) return `${version.base}files/${path}`;
  return `${forge}/${file.endsWith("/") ? "tree" : "blob"}/${version.tag ?? "main"}/${path}${anchor ?? ""}`;
}

const link = /(\]\()([^()\s]+)(\))|((?:src|srcset|href)=")([^"]+)(")/g;

// A picture for each theme follows the theme of the page instead of the system's.
const picture = /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img alt="([^"]+)" src="([^"]+)"([^>]*)>\s*<\/picture>/g;

/** textOf returns the text of a page, for the site, without its title. */
export function textOf(version, path, text) {
  return outsideCode(text.replace(/^# .*\n+/, ""), (prose) =>
    prose
      .replace(/<!--[\s\S]*?-->\n*/g, "")
      .replace(link, (_, a, to, b, c, src, d) => (to ? a + linkFor(version, path, to) + b : c + linkFor(version, path, src) + d))
      .replace(picture, '<img class="light:sl-hidden" alt="$2" src="$1"$4><img class="dark:sl-hidden" alt="$2" src="$3"$4>'),
  );
}

/** titleOf returns the heading of a page as text. */
export function titleOf(text) {
  const heading = /^# (.+)$/m.exec(text);
  if (heading === null) throw new Error("a page has no heading");
  return heading[1].replaceAll("`", "");
}

/** groupsOf reads the groups of the index, which are a bold line and a list of links each. */
export function groupsOf(index) {
  const groups = [];
  for (const line of index.split("\n")) {
    const bold = /^\*\*(.+)\*\*$/.exec(line);
    if (bold) groups.push({ label: bold[1], pages: [] });
    if (!line.startsWith("- ") || groups.length === 0) continue;
    for (const [, label, to] of line.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)) {
      groups.at(-1).pages.push({ label, path: posix.join("docs", to) });
    }
  }
  return groups;
}

/** descriptionsOf reads what the index says of each page. */
export function descriptionsOf(index) {
  const found = new Map();
  for (const [, to, text] of index.matchAll(/^- \[[^\]]+\]\(([^)#]+\.md)\): (.+)$/gm)) {
    found.set(posix.join("docs", to), text.replaceAll("`", ""));
  }
  return found;
}

/** rulesIn lists the rules that have a page. */
export function rulesIn(files) {
  return [...files].flatMap((path) => /^docs\/rules\/([a-z-]+)\.md$/.exec(path)?.[1] ?? []);
}

/** sidebarOf returns the sidebar: the playground, and the groups of the index, with each rule below their table. title returns the title of a page. */
export function sidebarOf(version, index, title) {
  const rules = [...version.files].filter((path) => /^docs\/rules\/[a-z-]+\.md$/.test(path)).sort();
  const each = { label: "Each rule", collapsed: true, items: rules.map((path) => ({ label: title(path), link: `/${addressOf(path)}` })) };
  const itemsFor = ({ label, path }) => {
    const address = version.files.has(path) ? addressOf(path) : undefined;
    if (address === undefined) return [];
    return [{ label, link: `/${address}` }, ...(path === "docs/rules/README.md" ? [each] : [])];
  };
  return [{ label: "Playground", link: "/playground/" }, ...groupsOf(index).map(({ label, pages }) => ({ label, items: pages.flatMap(itemsFor) }))];
}

/** home returns the front page: the beginning of the README, the playground, and the index. */
function home(version, read) {
  const readme = read("README.md");
  const intro = textOf(version, "README.md", readme.split(/^## /m)[0]);
  const [, tagline] = /^\*\*(.+?)\*\*/m.exec(intro);
  const actions = [
    { text: "Start here", link: `${version.base}start/`, icon: "right-arrow" },
    { text: "Try it in the browser", link: version.playground, variant: "secondary" },
    { text: "Source", link: forge, variant: "minimal", icon: "external" },
  ];
  const front = { title: titleOf(readme), description: tagline, template: "splash", hero: { tagline, actions } };
  const stories = version.stories.map(({ name, title, text }) => `- [${title}](${version.playground}#story=${name}): ${text}\n`);
  const teaser = `## Playground\n\nThe [playground](${version.playground}) merges a module in your browser. Nothing leaves it. Start with your own files, or with a story:\n\n${stories.join("")}\n`;
  const body = `${intro.replace(/^\*\*.+?\*\* /, "")}${teaser}## Documentation\n\n${textOf(version, "docs/README.md", read("docs/README.md"))}`;
  return { front, body };
}

/** writePages makes the pages of a version from an extracted source, in Starlight's layout, and returns the sidebar. */
export function writePages(version, source, directory) {
  rmSync(directory, { recursive: true, force: true });
  const read = (path) => readFileSync(join(source, path), "utf8");
  const index = read("docs/README.md");
  const descriptions = descriptionsOf(index);
  const newest = new Set(version.newest);
  for (const path of version.files) {
    if (/\.(svg|png|json)$/.test(path)) {
      const to = join(directory, "public", "files", path);
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(join(source, path), to);
    }
    const address = addressOf(path);
    if (address === undefined) continue;
    const text = read(path) + (path === "docs/command-line.md" ? version.help : "");
    const page = address === "" ? home(version, read) : { front: { title: titleOf(text), description: descriptions.get(path) }, body: textOf(version, path, text) };
    if (!/^##/m.test(page.body)) page.front.tableOfContents = false;
    page.front.editUrl = version.tag === null ? `${forge}/edit/main/${path}` : false;
    if (version.note) page.front.banner = { content: version.note };
    if (version.isOld && newest.has(address)) {
      page.front.head = [{ tag: "link", attrs: { rel: "canonical", href: version.site + version.root + address } }];
    }
    const to = join(directory, "pages", address === "" ? "index.md" : `${address.slice(0, -1)}.md`);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, `---\n${JSON.stringify(page.front, null, 2)}\n---\n\n${page.body}`);
  }
  return sidebarOf(version, index, (path) => titleOf(read(path)));
}
