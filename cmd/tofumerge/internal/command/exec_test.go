//go:build unix

package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

const execModules = `
-- web/main.tf --
variable "v" {
  default = "1"
}
module "out" {
  source = "../lib"
}
-- web/a_override.tf --
# tflint-ignore: x
variable "v" {
  type = string
}
-- lib/main.tf --
locals {}
-- broken/main.tf --
locals {}
-- broken/override.tf --
variable "none" {}
`

func TestExec(t *testing.T) {
	each(t, clitest.Tree(t, execModules), []call{
		{"exec web -- cat main.tf", 0, []string{"# tflint-ignore: x\n", "type    = string"}, []string{"web/a_override.tf:1 (var.v)"}},
		{"exec web -- echo main.tf:4", 0, []string{"a_override.tf:3\n"}, nil},
		{"exec web -- echo main.tf:44", 0, []string{"main.tf:44\n"}, []string{"1 location in the tool's output could not be mapped"}},
		{"exec --map none web -- true main.tf:4", 0, nil, nil},
		{"exec -q web -- cat ../lib/main.tf", 0, []string{"locals {}"}, []string{"no:Note"}},
		{"exec -r . --exclude broken -- echo at {}", 0, []string{"at lib\nat web\n"}, nil},
		{"exec web -- false", 1, nil, nil},
		{"exec web -- sh -c exit${IFS}7", 7, nil, nil},
		{"exec web -- rm main.tf", 1, nil, []string{"web/main.tf was removed by the tool from the copy only"}},
		{"exec broken -- echo never", 1, []string{"no:never"}, []string{"Missing variable to override"}},
		{"exec web", 1, nil, []string{"exec needs a tool behind --"}},
		{"exec web lib -- true", 1, nil, []string{"exec works on one directory"}},
		{"exec web --map xml -- true", 1, nil, []string{"use auto, sarif, json, text or none"}},
		{"exec web --tracked -- true", 1, nil, []string{"leave --tracked out"}},
		{"exec web -- no-such-tool", 1, nil, []string{"no such program"}},
	})
}

// TestExecEngines tries an unknown engine.
func TestExecEngines(t *testing.T) {
	dir := clitest.Tree(t, execModules)
	tool := filepath.Join(t.TempDir(), "tofu")
	if err := os.WriteFile(tool, []byte("#!/bin/sh\necho ran $1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"-- TOOL validate": "", "-- TOOL -chdir=. fmt -check": "", "-- TOOL -version": "", "-- TOOL init -backend=false": "",
		"-- TOOL init": "run it on the original", "-- TOOL apply": "runs only:", "-- TOOL workspace new x": "run it on the original",
	} {
		got := try(t, dir, strings.Fields("exec web "+strings.ReplaceAll(args, "TOOL", tool))...)
		if want == "" {
			holds(t, args, got.out, "ran ")
			warning := "tofu merges override files itself"
			if strings.Contains(args, "fmt") || strings.Contains(args, "version") {
				warning = "no:" + warning
			}
			holds(t, args, clitest.OneLine(got.errs), warning)
		} else {
			holds(t, args, clitest.OneLine(got.errs), want)
			holds(t, args, got.out, "no:ran")
		}
	}
}

// TestExecBack tries which files are brought back.
func TestExecBack(t *testing.T) {
	dir := clitest.Tree(t, execModules)
	got := try(t, dir, "exec", "web", "--", "sh", "-c",
		`echo '{"filename":"main.tf","line":4}' > report.json; echo a > new.txt; echo x > b_override.tf; echo 'locals {' > main.tf`)
	holds(t, "what people read", clitest.OneLine(got.errs),
		"web/b_override.tf would override the original", "web/main.tf was changed by the tool, but is merged in the copy; change the originals: web/a_override.tf:1, web/main.tf:1")
	files := clitest.Files(t, dir)
	holds(t, "the report", files["web/report.json"], `{"filename":"a_override.tf","line":3}`)
	if _, isThere := files["web/b_override.tf"]; isThere || got.status != 1 || files["web/new.txt"] != "a\n" {
		t.Errorf("status %d, %q", got.status, files)
	}
}
