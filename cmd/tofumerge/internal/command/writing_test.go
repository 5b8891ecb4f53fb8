package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

func TestDiff(t *testing.T) {
	each(t, clitest.Tree(t, modules+`
-- apart/main.tf --
terraform {
}
locals {
  a = 2
}
-- apart/override.tf --
terraform {
  required_version = ">= 1.0"
}
`), []call{
		{"diff web", 0, []string{"--- a/main.tf\n", "+++ b/main.tf\n", "-  size = 1\n", "+  size = 2\n"}, nil},
		{"diff web --detailed-exitcode", 2, []string{"+  size = 2\n"}, nil},
		{"diff plain --detailed-exitcode", 0, nil, nil},
		{"diff -r . --exclude broken", 0, []string{"--- a/web/main.tf\n", "--- a/root/inner/main.tf\n"}, nil},
		{"diff apart --from plain", 0, []string{"--- plain\n", "+++ apart\n", "-  a = 1\n", "+  a = 2\n"}, nil},
		{"diff plain --from plain --detailed-exitcode", 0, nil, nil},
		{"diff apart --from plain --json", 0, []string{`"files": [`, `"valid": true`}, nil},
		{"diff web --json --redact", 0, []string{`"valid": true`}, nil},
		{"diff web --redact", 1, nil, []string{"a patch can't hide values"}},
		{"diff plain apart web", 1, nil, []string{"diff takes one directory; it got 3"}},
		{"diff plain apart --since main", 1, nil, []string{"diff takes one directory; it got 2"}},
		{"diff plain apart", 1, nil, []string{"tofumerge diff apart --from plain"}},
		{"diff -r plain apart", 1, nil, []string{"diff -r takes one directory; it got 2"}},
		{"diff broken --from plain", 1, nil, []string{"main.tf:3:3"}},
		{"diff none --from plain", 1, nil, []string{"none"}},
	})
}

func TestCheck(t *testing.T) {
	each(t, clitest.Tree(t, modules), []call{
		{"check web", 2, []string{"[map-replace-drops-keys]", "Name"}, nil},
		{"check web/override.tf", 2, []string{"[map-replace-drops-keys]"}, nil},
		{"check plain", 0, nil, nil},
		{"check web --fail-on never", 0, []string{"[map-replace-drops-keys]"}, nil},
		{"check web --disable map-replace-drops-keys", 0, nil, nil},
		{"check web --disable map-replace", 1, nil, []string{"map-replace"}},
		{"check web --select no-effect", 0, nil, []string{"--select hides 1 finding"}},
		{"check web --filter a_b.x.tags", 2, []string{"[map-replace-drops-keys]"}, nil},
		{"check web --min-severity error", 0, []string{"no:map-replace"}, nil},
		{"check web --min-severity none", 1, nil, []string{"none"}},
		{"check web --deny **.size", 2, []string{"[denied-override]", "a_b.x.size"}, nil},
		{"check web --deny-overrides --allow-file override.tf", 2, []string{"no:denied-override"}, nil},
		{"check web --json", 2, []string{`"rule": "map-replace-drops-keys"`, `"histories"`}, nil},
		{"check web -f sarif", 2, []string{`"ruleId": "map-replace-drops-keys"`}, nil},
		{"check web -f github", 2, []string{"::warning file=web/override.tf"}, nil},
		{"check web -f none", 1, nil, []string{`not "none"`}},
		{"check broken", 2, []string{"main.tf:3:3", "[syntax-error]"}, nil},
		{"check empty", 1, nil, []string{"no configuration files (.tf"}},
		{"check -r empty", 0, nil, []string{"nothing was checked: no configuration files below empty"}},
		{"check -r empty --fix", 0, nil, []string{"nothing was checked: no configuration files below empty"}},
		{"check web --fix --filter local.none", 1, nil, []string{"nothing matches --filter local.none"}},
		{"check -r .", 2, []string{"web/override.tf", "broken/main.tf"}, nil},
		{"check web plain --overlay web/main.tf", 1, nil, []string{"name only one PATH"}},
		{"check web --list-rules", 0, []string{"map-replace-drops-keys", "warning  on ", "off"}, nil},
		{"check web --list-rules --disable no-effect --json", 0, []string{`"id": "no-effect",
      "severity": "warning",
      "enabled": false`}, nil},
		{"check web plain --list-rules", 1, nil, []string{"--list-rules is about one module"}},
		{"check web --list-rules -f sarif", 1, nil, []string{"--list-rules prints text or json, not sarif"}},
		{"check web --show-settings --disable no-effect", 0, []string{"engine       = ", "no-effect"}, nil},
		{"check web --show-settings --json", 0, []string{`"settings": [`}, nil},
		{"check web --config-from a:b", 1, nil, []string{"--config-from takes a revision without a directory; use --config-from a"}},
		{"check web --fix", 2, []string{"--- a/web/override.tf\n", "+    Name  = \"n\"\n"}, []string{"fixes 1 of 1 finding in 1 file; to write them, use --write"}},
		{"check web --write", 1, nil, []string{"use both"}},
		{"check web --fix --json", 1, nil, []string{"--fix prints a patch"}},
		{"check plain --fix", 0, nil, nil},
		{"check web --baseline none.json", 1, nil, []string{"none.json"}},
	})
}

// With --write the files are fixed, and the report contains the remaining findings.
func TestCheckFix(t *testing.T) {
	dir := clitest.Tree(t, modules)
	got := try(t, dir, "check", "web", "--fix", "--write")
	if got.status != 0 || strings.Contains(got.out, "map-replace") || !strings.Contains(got.errs, "fixed 1 of 1 finding in 1 file") {
		t.Errorf("%+v", got)
	}
	holds(t, "the file", clitest.Files(t, dir)["web/override.tf"], "    Owner = \"o\"\n    Name  = \"n\"\n", "size = 2")
	if again := try(t, dir, "check", "web"); strings.Contains(again.out, "map-replace") {
		t.Errorf("the finding is there again: %+v", again)
	}
}

// A baseline hides existing findings, and no new ones.
func TestCheckBaseline(t *testing.T) {
	dir := clitest.Tree(t, modules)
	if got := try(t, dir, "check", "web", "--write-baseline", "known.json"); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	if got := try(t, dir, "check", "web", "--baseline", "known.json"); got.status != 0 || strings.Contains(got.out, "map-replace") {
		t.Errorf("%+v", got)
	}
	clitest.Unpack(t, dir, "-- web/z_override.tf --\nresource \"a_b\" \"x\" {\n  tags = { Owner = \"o\" }\n}\n")
	if got := try(t, dir, "check", "web", "--baseline", "known.json"); got.status != 0 || !strings.Contains(got.out, "[equivalent-override]") || strings.Contains(got.out, "map-replace") {
		t.Errorf("%+v", got)
	}
}

func TestFlatten(t *testing.T) {
	dir := clitest.Tree(t, modules+`
-- differs/main.tf --
terraform {
}
-- differs/override.tf --
terraform {
  required_version = ">= 1.0"
}
`)
	each(t, dir, []call{
		{"flatten web", 0, []string{"--- a/web/main.tf\n", "+  size = 2\n", "--- a/web/override.tf\n", "+++ /dev/null\n"}, nil},
		{"flatten -r . --exclude broken --exclude differs", 0, []string{"--- a/root/inner/override.tf\n"}, nil},
		{"flatten broken", 1, nil, []string{"main.tf:3:3"}},
		{"flatten differs", 1, nil, []string{"--engine"}},
		{"flatten web --write -o new", 1, nil, []string{"use only one of them"}},
		{"flatten web --only-config", 1, nil, []string{"use it with -o NEWDIR"}},
		{"flatten web --force", 1, nil, []string{"use it with --write"}},
		{"flatten web --write --overlay x.tf", 1, nil, []string{"use -o NEWDIR"}},
		{"flatten web -o plain", 1, nil, []string{"plain is not empty; name a new directory"}},
		{"flatten web -o web/new", 1, nil, []string{"is inside"}},
		{"flatten web -o none/new", 1, nil, []string{"nothing was written: no such directory:"}},
	})
	if got := try(t, dir, "flatten", "web", "-o", "new"); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	files := clitest.Files(t, filepath.Join(dir, "new"))
	if len(files) != 2 || !strings.Contains(files["main.tf"], "size = 2") || files["terraform.tfvars"] == "" {
		t.Errorf("the new directory has %v", files)
	}
	if got := try(t, dir, "flatten", "web", "-o", "bare", "--only-config"); got.status != 0 || !strings.Contains(got.errs, "holds only the configuration files") {
		t.Errorf("%+v", got)
	}
	if files := clitest.Files(t, filepath.Join(dir, "bare")); len(files) != 1 {
		t.Errorf("only the configuration is %v", files)
	}
	if got := try(t, dir, "flatten", "-r", ".", "--exclude", "broken", "-o", "../"+filepath.Base(dir)+"-flat"); got.status != 1 {
		t.Errorf("%+v", got)
	}
}

// --write changes all modules or none, and only what git could restore.
func TestFlattenWrite(t *testing.T) {
	dir := clitest.Tree(t, modules)
	clitest.Commit(t, dir)
	before := clitest.Files(t, dir)
	if got := try(t, dir, "flatten", "web", "broken", "--write"); got.status != 1 || !cmp.Equal(before, clitest.Files(t, dir)) {
		t.Errorf("with a broken module: %+v", got)
	}
	clitest.Unpack(t, dir, "-- web/main.tf --\n"+before["web/main.tf"]+"# mine\n")
	if got := try(t, dir, "flatten", "web", "--write"); got.status != 1 || !strings.Contains(got.errs, "--force") {
		t.Errorf("with a file that was edited: %+v", got)
	}
	if got := try(t, dir, "flatten", "web", "--write", "--force"); got.status != 0 {
		t.Errorf("by force: %+v", got)
	}
	files := clitest.Files(t, dir)
	if _, isThere := files["web/override.tf"]; isThere || !strings.Contains(files["web/main.tf"], "size = 2") || !strings.Contains(files["web/main.tf"], "# mine") {
		t.Errorf("%v", files)
	}
	if got := try(t, dir, "changes", "web", "--since", "HEAD"); got.status != 0 || !strings.Contains(got.out, "No effective value differs from HEAD:web.") {
		t.Errorf("flat, the module is another one: %+v", got)
	}
}

// What --since leaves out, compares with, and refuses.
func TestSince(t *testing.T) {
	dir := clitest.Tree(t, modules)
	clitest.Commit(t, dir)
	clitest.Unpack(t, dir, "-- web/override.tf --\n"+strings.Replace(clitest.Files(t, dir)["web/override.tf"], "size = 2", "size = 3", 1)+
		"-- plain/override.tf --\nlocals {\n  a = 1\n}\n")
	each(t, dir, []call{
		{"check web plain --only-new HEAD", 0, []string{"[equivalent-override]", "no:map-replace-drops-keys"}, nil},
		{"check web --only-new HEAD --fix", 1, nil, []string{"leave out --only-new"}},
		{"changes web --since HEAD", 0, []string{"~ size", "2 → 3", "no:tags"}, nil},
		{"changes -r . --exclude broken --since HEAD", 0, []string{"web:", "no:plain:"}, nil},
		{"changes web plain --since HEAD:web", 1, nil, []string{"names one directory for several modules"}},
		{"changes web --since HEAD:root/inner", 0, []string{"(new)", "(removed)"}, nil},
		{"changes web --since nothing", 1, nil, []string{"nothing"}},
		{"changes main", 1, nil, []string{"to compare with the revision of that name, use --since main"}},
		{"changes web --since git:main", 1, nil, []string{"use --since main"}},
		{"diff web --since HEAD", 0, []string{"--- HEAD:web\n", "-  size = 2\n", "+  size = 3\n"}, nil},
		{"diff -r . --exclude broken --since HEAD", 0, []string{"--- HEAD:web\n", "-  size = 2\n", "+  size = 3\n"}, nil},
		{"diff web --since HEAD:nowhere", 1, nil, []string{"HEAD has no directory nowhere"}},
		{"report web --since HEAD", 0, []string{"<!DOCTYPE html>"}, nil},
		{"changes web --tracked", 0, []string{"1 → 2"}, nil},
		{"list plain --tracked", 0, []string{"no:override.tf"}, nil},
	})
	if out, err := exec.Command("git", "-C", dir, "status", "--porcelain").Output(); err != nil || strings.Count(string(out), "\n") != 2 {
		t.Errorf("the repository is left with %s (%v)", out, err)
	}
}

func TestExtract(t *testing.T) {
	dir := clitest.Tree(t, `
-- base/main.tf --
locals {
  a = 1
  b = 2
}
-- edited/main.tf --
locals {
  a = 3
  b = 2
}
-- gone/main.tf --
locals {
  a = 1
}
`)
	clitest.Commit(t, dir)
	each(t, dir, []call{
		{"extract base edited", 0, []string{"locals {\n  a = 3\n}\n"}, nil},
		{"extract base edited --json", 0, []string{`"a": 3`}, nil},
		{"extract base gone", 2, nil, []string{"local.b"}},
		{"extract base base", 0, nil, nil},
		{"extract base", 1, nil, []string{"extract needs --since REV, or two directories: BASE EDITED; it got 1"}},
		{"extract base edited --since HEAD", 1, nil, []string{"--since compares one directory with itself"}},
		{"extract base edited --write", 1, nil, []string{"--write needs --into"}},
		{"extract base edited -o -", 1, nil, []string{"-o needs the name of a file"}},
		{"extract base edited --new-file a.tf", 1, nil, []string{"--new-file needs -o"}},
		{"extract base edited -o x_override.tf --new-file d/a.tf", 1, nil, []string{"--new-file takes a name without a directory"}},
		{"extract base edited --overlay x", 1, nil, []string{"leave out --overlay"}},
		{"extract base edited -o z_override.tf.json", 1, nil, []string{"use --format json, or a name such as extract_override.tf"}},
		{"extract base edited -o z_override.tf -f json", 1, nil, []string{"use --format hcl, or a name such as extract_override.tf.json"}},
		{"extract base edited --into=", 1, nil, []string{"--into needs a name"}},
		{"extract base edited -o base/z_override.tf --new-file=", 1, nil, []string{"--new-file needs a name"}},
		{"extract base --since HEAD", 0, nil, nil},
	})
	clitest.Unpack(t, dir, "-- base/main.tf --\nlocals {\n  a = 4 # four\n  b = 2\n}\n")
	if got := try(t, dir, "extract", "base", "--since", "HEAD", "-o", "base/z_override.tf", "--write"); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	files := clitest.Files(t, dir)
	if !strings.Contains(files["base/z_override.tf"], "a = 4") || !strings.Contains(files["base/main.tf"], "a = 1") {
		t.Errorf("%v", files)
	}
	if got := try(t, dir, "extract", "base", "edited", "-o", "base/z_override.tf"); got.status != 1 {
		t.Errorf("a file that is there: %+v", got)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "base/z_override.tf")); err != nil || string(text) != files["base/z_override.tf"] {
		t.Errorf("it was changed: %s, %v", text, err)
	}
}

func TestLSP(t *testing.T) {
	dir := clitest.Tree(t, modules)
	if got := try(t, dir, "lsp", "--overlay", "x.tf"); got.status != 1 || !strings.Contains(clitest.OneLine(got.errs), "open the file beside the module") {
		t.Errorf("%+v", got)
	}
	if got := try(t, dir, "lsp", "web"); got.status != 1 || !strings.Contains(got.errs, "takes no arguments") {
		t.Errorf("%+v", got)
	}
	message := func(text string) string { return "Content-Length: " + strconv.Itoa(len(text)) + "\r\n\r\n" + text }
	in := message(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"processId":null,"rootUri":null}}`) +
		message(`{"jsonrpc":"2.0","method":"initialized","params":{}}`) +
		message(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`) + message(`{"jsonrpc":"2.0","method":"exit"}`)
	if got := tryWith(t, dir, in, "lsp", "--stdio"); got.status != 0 || !strings.Contains(got.out, `{"id":2,"result":null`) {
		t.Errorf("%+v", got)
	}
	if got := tryWith(t, dir, message(`{"jsonrpc":"2.0","method":"exit"}`), "lsp"); got.status != 1 {
		t.Errorf("without a shutdown: %+v", got)
	}
}
