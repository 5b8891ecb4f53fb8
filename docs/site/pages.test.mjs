import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, descriptionsOf, groupsOf, linkFor, outsideCode, rulesIn, sidebarOf, textOf, titleOf } from "./pages.mjs";
import { commandsIn, minorReleases } from "./versions.mjs";

const version = {
  tag: "v1.2.3",
  base: "/docs/v1.2/",
  site: "https://example.org",
  files: new Set(["README.md", "docs/README.md", "docs/ci.md", "docs/a.svg", "docs/rules/README.md", "docs/rules/no-effect.md"]),
};

test("a rule's page is at /rules/NAME", () => {
  assert.equal(addressOf("docs/rules/no-effect.md"), "rules/no-effect/");
  assert.equal(addressOf("docs/rules/README.md"), "rules/");
  assert.equal(addressOf("docs/README.md"), "");
  assert.equal(addressOf("README.md"), "start/");
  assert.equal(addressOf("SECURITY.md"), undefined);
  assert.equal(addressOf("docs/a.svg"), undefined);
});

test("links point to pages of the version, to files, or to the forge at its tag", () => {
  const of = (to) => linkFor(version, "docs/rules/no-effect.md", to);
  assert.equal(of("../ci.md#start"), "/docs/v1.2/ci/#start");
  assert.equal(of("README.md"), "/docs/v1.2/rules/");
  assert.equal(of("../../README.md"), "/docs/v1.2/start/");
  assert.equal(of("../a.svg"), "/docs/v1.2/files/docs/a.svg");
  assert.equal(of("../../SECURITY.md"), "https://github.com/tofumerge/tofumerge/blob/v1.2.3/SECURITY.md");
  assert.equal(of("#here"), "#here");
  assert.equal(of("https://example.org/x.md"), "https://example.org/x.md");
});

test("code keeps its text", () => {
  const text = "a\n\n```sh\na\n```\n\n    a\n\na `a` a\n";
  assert.equal(outsideCode(text, (prose) => prose.replaceAll("a", "b")), "b\n\n```sh\na\n```\n\n    a\n\nb `a` b\n");
});

test("a page loses its heading and its comments", () => {
  assert.equal(textOf(version, "docs/ci.md", "# CI\n\n<!-- made by -->\n\nSee [rules](rules/README.md).\n"), "See [rules](/docs/v1.2/rules/).\n");
  assert.equal(titleOf("# The `check`\n\n## More\n"), "The check");
  assert.throws(() => titleOf("no heading\n"));
});

const index = "# Documentation\n\n**Use**\n\n- [CI](ci.md): pipelines\n\n**Look up**\n\n- [Rules](rules/README.md): all\n- [Security](../SECURITY.md)\n";

test("the sidebar is the index, and each rule", () => {
  assert.deepEqual(groupsOf(index).map((group) => group.label), ["Use", "Look up"]);
  assert.equal(descriptionsOf(index).get("docs/ci.md"), "pipelines");
  assert.deepEqual(rulesIn(version.files), ["no-effect"]);
  assert.deepEqual(sidebarOf(version, index, () => "no-effect"), [
    { label: "Playground", link: "/playground/" },
    { label: "Use", items: [{ label: "CI", link: "/ci/" }] },
    {
      label: "Look up",
      items: [
        { label: "Rules", link: "/rules/" },
        { label: "Each rule", collapsed: true, items: [{ label: "no-effect", link: "/rules/no-effect/" }] },
      ],
    },
  ]);
});

test("a minor version is its newest patch, and prereleases have no pages", () => {
  assert.deepEqual(minorReleases(["v0.9.0", "v0.10.1", "v0.10.0", "v0.10.2-rc.1", "vnext"]), [
    { name: "v0.10", tag: "v0.10.1" },
    { name: "v0.9", tag: "v0.9.0" },
  ]);
});

test("the help lists the commands, by lines of two columns", () => {
  assert.deepEqual(commandsIn("Examples:\n  tofumerge   print it\n\nCommands:\n  render       Print\n  list         List\n\nShared flags:\n  Output   --json\n"), ["render", "list"]);
});
