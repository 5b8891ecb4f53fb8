// Which versions of the docs the site has, and the files of each.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

// A release has an address by its minor version: the newest patch replaces the earlier ones.
const release = /^v(\d+)\.(\d+)\.(\d+)$/;

/** minorReleases returns the newest tag of each minor version, newest first. */
export function minorReleases(tags) {
  const parsed = tags.map((tag) => release.exec(tag)).filter(Boolean);
  parsed.sort((a, b) => b[1] - a[1] || b[2] - a[2] || b[3] - a[3]);
  const seen = new Map();
  for (const [tag, major, minor] of parsed) {
    const name = `v${major}.${minor}`;
    if (!seen.has(name)) seen.set(name, { name, tag });
  }
  return [...seen.values()];
}

/** releasesOf lists the tags of releases. */
export function releasesOf(repository) {
  const tags = execFileSync("git", ["-C", repository, "tag", "--list", "v*"], { encoding: "utf8" });
  return tags.split("\n").filter((tag) => release.test(tag));
}

/** filesAt lists the files of a release below docs. */
export function filesAt(repository, tag) {
  return execFileSync("git", ["-C", repository, "ls-tree", "-r", "--name-only", tag, "docs"], { encoding: "utf8" }).split("\n");
}

/** commandsIn lists the commands that the help of the program names. */
export function commandsIn(help) {
  return [...help.matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)].map(([, name]) => name);
}

/** helpOf returns what the program of a version prints about each of its commands, as Markdown. */
export function helpOf(repository, version) {
  const program = version.tag === null ? "./cmd/tofumerge" : `github.com/tofumerge/tofumerge/cmd/tofumerge@${version.tag}`;
  const help = (...words) => execFileSync("go", ["run", program, "help", ...words], { cwd: repository, encoding: "utf8" });
  return commandsIn(help()).map((name) => `\n## tofumerge ${name}\n\n\`\`\`text\n${help(name)}\`\`\`\n`).join("");
}

const wanted = ["README.md", "CHANGELOG.md", "docs", "editors/vscode/images"];

/** extract writes the docs of a version to a directory: of main, those in the working tree. */
export function extract(repository, version, directory) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const git = (...args) => execFileSync("git", ["-C", repository, ...args], { maxBuffer: 1 << 28 });
  if (version.tag !== null) {
    execFileSync("tar", ["-x", "-C", directory, "--exclude=docs/site"], { input: git("archive", version.tag, ...wanted) });
    return;
  }
  const listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", ...wanted).toString().split("\0");
  for (const file of listed.filter((file) => file !== "" && !file.startsWith("docs/site/") && existsSync(join(repository, file)))) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    copyFileSync(join(repository, file), join(directory, file));
  }
}
