package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

// modules are two modules side by side, one that calls another one twice, and one that no engine takes.
const modules = `
-- web/main.tf --
variable "secret" {
  default   = "s3cret"
  sensitive = true
}
resource "a_b" "x" {
  size = 1
  on   = true
  tags = {
    Name = "n"
  }
}
-- web/override.tf --
variable "secret" {
  default = "0ther"
}
resource "a_b" "x" {
  size = 2
  on   = false
  tags = {
    Owner = "o"
  }
}
-- web/terraform.tfvars --
secret = "th1rd"
-- plain/main.tf --
locals {
  a = 1
}
-- root/main.tf --
module "one" {
  source = "./inner"
}
module "two" {
  source = "./inner"
}
module "gone" {
  source = "./gone"
}
-- root/inner/main.tf --
output "o" {
  value = 1
}
-- root/inner/override.tf --
output "o" {
  value = 2
}
-- broken/main.tf --
locals {
  a = 1
  a = 2
}
-- empty/notes.txt --
-- above/main.tf --
locals {
  a = 1
}
`

func TestChanges(t *testing.T) {
	each(t, clitest.Tree(t, modules), []call{
		{"changes web", 0, []string{"a_b.x\n", "~ size", "1 → 2", "override.tf:5", "~ on", "true → false", "+ Owner", "- Name   ", "(sensitive value)", "no:s3cret", "no:0ther",
			"3 changed, 1 added, 1 dropped in 2 blocks"}, nil},
		{"changes web --redact", 0, []string{"(redacted) → 2", "no:1 → 2"}, nil},
		{"changes web --detailed-exitcode", 2, []string{"~ size"}, nil},
		{"changes plain --detailed-exitcode", 0, []string{"No override changes anything."}, nil},
		{"changes web plain", 0, []string{"web:\n", "plain:\n", "No override changes anything."}, []string{"no:rror"}},
		{"changes -r . --exclude broken", 0, []string{"web:\n", "root/inner:\n", "no:plain:"}, nil},
		{"changes -r .", 1, nil, []string{"broken/main.tf:3:3", "nothing was printed: 1 of 6 modules has errors"}},
		{"changes web --filter a_b.x.size", 0, []string{"~ size", "no:tags"}, []string{"--filter hides 4 changes"}},
		{"changes web -f markdown", 0, []string{"<details", "```diff", "! size"}, nil},
		{"changes web --json", 0, []string{`"address": "a_b.x.size"`, `"change": "changed"`, "no:s3cret"}, nil},
		{"changes web --json --format text", 1, nil, []string{"use only one of --json and --format text"}},
		{"changes web -f xml", 1, nil, []string{`--format takes text, json or markdown, not "xml"`}},
		{"changes empty", 1, nil, []string{"no configuration files (.tf"}},
		{"changes -r empty", 1, nil, []string{"no configuration files below empty; name a directory with modules"}},
		{"changes broken", 1, nil, []string{"main.tf:3:3"}},
		{"changes web plain --overlay x.tf", 1, nil, []string{"--overlay"}},
		{"changes web --since :a", 1, nil, []string{"needs the name of a revision"}},
	})
}

func TestList(t *testing.T) {
	dir := clitest.Tree(t, modules)
	each(t, dir, []call{
		{"list web", 0, []string{"main.tf", "override.tf", "a_b.x.size", "no:terraform.tfvars"}, nil},
		{"list broken", 1, []string{"main.tf"}, []string{"main.tf:3:3"}},
		{"list web plain", 0, []string{"web:\n", "\nplain:\n"}, nil},
		{"list web -z --json", 1, nil, []string{"use only one of them"}},
		{"list empty", 1, nil, []string{"no configuration files (.tf"}},
	})
	got := try(t, dir, "list", "-z", "web")
	if want := "web/main.tf\x00web/override.tf\x00"; filepath.ToSlash(got.out) != want {
		t.Errorf("names are %q", got.out)
	}
	var doc struct {
		Files     []struct{ Filename string }
		Histories []struct{ Address string }
	}
	if err := json.Unmarshal([]byte(try(t, dir, "list", "web", "--json").out), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Files) != 2 || doc.Files[1].Filename != "override.tf" || len(doc.Histories) == 0 {
		t.Errorf("%+v", doc)
	}
}

func TestExplain(t *testing.T) {
	each(t, clitest.Tree(t, modules+"-- web/a_b.x --\n"), []call{
		{"explain web a_b.x.size", 0, []string{"a_b.x.size = 2\n", "effective  web/override.tf:5", "replaced", "web/main.tf:6", "by web/override.tf:5"}, nil},
		{"explain web a_b.x.size --redact", 0, []string{"a_b.x.size = 2\n", "(redacted)"}, nil},
		{"explain web size", 0, []string{"a_b.x.size = 2\n"}, nil},
		{"explain web a_b.*.s*", 0, []string{"a_b.x.size = 2\n"}, nil},
		{"explain web override.tf:5", 0, []string{"a_b.x.size = 2\n", "no:tags"}, nil},
		{"explain web/override.tf:5", 0, []string{"a_b.x.size = 2\n"}, nil},
		{"explain web a_b.x.tags.Owner", 0, []string{`a_b.x.tags.Owner = "o"`}, nil},
		{"explain web var.secret", 0, []string{"(sensitive value)", "no:th1rd", "no:0ther"}, nil},
		{"explain web var.secret --json", 0, []string{`"address": "var.secret"`, "no:th1rd"}, nil},
		{"explain web a_b.x.size --json", 0, []string{`"histories": [`, `"address": "a_b.x.size"`}, nil},
		{"explain web --all", 0, []string{"var.secret", "a_b.x"}, nil},
		{"explain web", 1, nil, []string{"explain needs an address"}},
		{"explain web a_b.x.siez", 1, nil, []string{"nothing in the module has the address a_b.x.siez; did you mean a_b.x.size?"}},
		{"explain web a_b.x.tags.No", 1, nil, []string{"a_b.x.tags has no key No; it has Owner"}},
		{`explain web a_b.x["k"].siez`, 1, nil, []string{`a_b.x["k"].siez`}},
		{"explain web b_*.x", 1, nil, []string{"nothing in the module matches b_*.x"}},
		{"explain web override.tf:500", 1, nil, []string{"no line 500 in override.tf"}},
		{"explain web other.tf:1", 1, nil, []string{"the module has no file other.tf"}},
		{"explain web/override.tf", 0, []string{"effective  web/override.tf:"}, nil},
		{"explain a_b.x.size web/", 1, nil, []string{"put the directory before the addresses: tofumerge explain web/ a_b.x.size"}},
		{"explain root module.one.output.o", 1, nil, []string{"run: tofumerge explain root/inner output.o"}},
		{"explain root module.gone.output.o", 1, nil, []string{"run: tofumerge explain root/gone output.o"}},
		{"explain root module.three.output.o", 1, nil, []string{"nothing in the module has the address"}},
		{"explain -r . output.o --exclude broken", 0, []string{"root/inner:\n", "output.o"}, []string{"no:rror"}},
		{"explain -r . output.none --exclude broken", 1, nil, []string{"nothing in 5 modules has the address output.none"}},
		{"explain -r . output.o --exclude broken --json", 0, []string{`"module": "root/inner"`}, nil},
		{"explain broken local.a", 1, nil, []string{"main.tf:3:3"}},
	})
}

func TestRender(t *testing.T) {
	dir := clitest.Tree(t, modules)
	each(t, dir, []call{
		{"render web", 0, []string{"  size = 2\n", "Owner = \"o\"", "no:size = 1"}, nil},
		{"render web --no-overrides", 0, []string{"  size = 1\n", "no:size = 2"}, nil},
		{"render web --annotate", 0, []string{"size = 2     # override: override.tf:5 (was 1 at main.tf:6)", "no:0ther (was"}, nil},
		{"render web --annotate --redact", 0, []string{"(was (redacted)"}, nil},
		{"render web --only-changed --filter a_b.x", 0, []string{"size = 2", "no:variable"}, nil},
		{"render plain --only-changed", 0, []string{"no:locals"}, nil},
		{"render web --filter a_b.z", 1, nil, []string{"no block matches --filter a_b.z; did you mean a_b.x?"}},
		{"render web --filter a_b.z,a_b.x", 0, []string{"size = 2"}, []string{"Warning: no block matches --filter a_b.z"}},
		{"render web --filter a_b.x,", 1, nil, []string{"a comma has nothing beside it"}},
		{"render web --json", 0, []string{`"size": 2`, "no:main.tf"}, nil},
		{"render web --json --annotate=full", 0, []string{`"size": 2`, "override.tf"}, nil},
		{"render web --annotate=full", 1, nil, []string{"only JSON output can hold"}},
		{"render --annotate full", 1, nil, []string{"did you mean --annotate=full?"}},
		{"render web plain", 1, nil, []string{"takes one directory, not 2 (web, plain)"}},
		{"render empty", 1, nil, []string{"no configuration files (.tf"}},
		{"render broken", 1, nil, []string{"main.tf:3:3"}},
	})
	if got := try(t, dir, "render"); got.status != 1 || !strings.Contains(clitest.OneLine(got.errs), "modules below:") {
		t.Errorf("without a module, it says %q", got.errs)
	}
}

// -o gets the whole result, and a run that fails leaves the file as it was.
func TestOutput(t *testing.T) {
	for _, command := range []string{"render", "changes", "diff", "list"} {
		dir := clitest.Tree(t, modules)
		file := filepath.Join(dir, "out.txt")
		want := try(t, dir, command, "web")
		got := try(t, dir, command, "web", "-o", "out.txt")
		if text, err := os.ReadFile(file); err != nil || got.status != 0 || got.out != "" || string(text) != want.out {
			t.Errorf("%s: %v, %+v, -want +got:\n%s", command, err, got, cmp.Diff(want.out, string(text)))
		}
		if got := try(t, dir, command, "broken", "-o", "out.txt"); got.status != 1 || got.out != "" {
			t.Errorf("%s of a broken module: %+v", command, got)
		}
		if text, _ := os.ReadFile(file); string(text) != want.out {
			t.Errorf("%s failed, and left\n%s", command, text)
		}
		if got := try(t, dir, command, "web", "-o", "web/new.tf"); got.status != 1 || !strings.Contains(clitest.OneLine(got.errs), "would become part of the module") {
			t.Errorf("%s into the module: %+v", command, got)
		}
		if got := try(t, dir, command, "web", "-o", "web/main.tf"); got.status != 1 {
			t.Errorf("%s over a file of the module: %+v", command, got)
		}
	}
}

func TestReport(t *testing.T) {
	each(t, clitest.Tree(t, modules), []call{
		{"report web", 0, []string{"<!DOCTYPE html>", "a_b", "map-replace-drops-keys", "no:s3cret", "no:0ther"}, nil},
		{"report web --redact", 0, []string{"<!DOCTYPE html>", "(redacted)"}, nil},
		{"report broken web", 1, nil, nil},
		{"report -r . --exclude broken", 0, []string{"root/inner"}, nil},
		{"report none", 1, []string{"no:<"}, []string{"no such directory: none"}},
		{"report web/main.tf", 1, []string{"no:<"}, []string{"is not a directory"}},
		{"report web --config x --config-from main", 1, []string{"no:<"}, []string{"use only one of them"}},
	})
}
