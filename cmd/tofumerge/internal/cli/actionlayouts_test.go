package cli

import (
	"slices"
	"strings"
	"testing"
)

// layouts are repositories in which a change tries to weaken the gate: the target branch, the
// change, and the rules that must nevertheless find something.
var layouts = []struct {
	name, base, change string
	found              []string
	dir                string // input of the action
}{
	{
		"settings at the root", `settings . 'deny = ["local.a"]'; module web`,
		`settings . 'allow_files = ["*"]'`, []string{"web denied-override"}, ".",
	},
	{
		"settings in the module", `module web; settings web 'deny = ["local.a"]'`,
		`rm web/.tofumerge.hcl`, []string{"web denied-override"}, ".",
	},
	{
		"settings between", `settings . 'enable = ["equivalent-override"]'; module live/web; settings live 'deny = ["local.*"]'`,
		`settings live 'disable = ["equivalent-override"]'; settings live/web 'allow_files = ["*"]'`,
		[]string{"live/web denied-override", "live/web equivalent-override"}, ".",
	},
	{
		"a new directory", `settings . 'disable = ["map-replace-drops-keys"]'; module live/web; settings live 'deny = ["local.a"]'`,
		`module live/db/eu; settings live/db 'allow_files = ["*"]'`,
		[]string{"live/web denied-override", "live/db/eu denied-override"}, ".",
	},
	{
		"a link instead of a directory", `module live/web; settings live 'deny = ["local.a"]'; module lax`,
		`git mv live/web lax/web; ln -s ../lax/web live/web`, []string{"live/web denied-override"}, "live/web",
	},
	{
		"no settings", `module web`, `settings . 'disable = ["map-replace-drops-keys"]'`, []string{"web map-replace-drops-keys"}, "web",
	},
}

const layoutWords = `set -eu
settings() { mkdir -p "$1"; echo "$2" > "$1/.tofumerge.hcl"; }
module() {
  mkdir -p "$1"
  printf 'locals {\n  a = 1\n  b = { c = 1, d = 2 }\n  e = 1\n}\n' > "$1/main.tf"
  printf 'locals {\n  a = 2\n  b = { c = 1 }\n  e = 1\n}\n' > "$1/override.tf"
}
commit() { git add -A; git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m a; }
`

// A pull request, the push that merges it and a laptop that names the same revision get one
// verdict, whatever the change does to settings files.
func TestActionLayouts(t *testing.T) {
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			r := newActionRun(t)
			r.dir = t.TempDir()
			must := func(script string) string {
				t.Helper()
				out, status := shell(t, r.dir, layoutWords+script)
				if status != ExitOK {
					t.Fatalf("%s:\n%s", script, out)
				}
				return strings.TrimSpace(out)
			}
			must("git init -q -b main; git remote add origin .; " + l.base + "; commit")
			base := must("git rev-parse HEAD")
			must("git checkout -q -b change; " + l.change + "; commit")
			pulled, outputs, _ := r.run(t, "check", "BASE="+base, "DIRECTORY="+l.dir)
			for _, f := range l.found {
				dir, rule, _ := strings.Cut(f, " ")
				if !strings.Contains(pulled, "file="+dir+"/override.tf") || !strings.Contains(pulled, rule) || !strings.Contains(outputs, "status=2\n") {
					t.Errorf("no %s in\n%s\nand %q", f, pulled, outputs)
				}
			}
			pushed, _, _ := r.run(t, "check", "BASE="+base, "DIRECTORY="+l.dir, "GITHUB_EVENT_NAME=push")
			laptop, _ := shell(t, r.dir, "TOFUMERGE_ENGINE= tofumerge check -r --config-from main -f github -- "+l.dir)
			if pushed != pulled || annotations(laptop) != annotations(strings.ReplaceAll(pulled, base, "main")) {
				t.Errorf("pull request:\n%s\npush:\n%s\nlaptop:\n%s", pulled, pushed, laptop)
			}
		})
	}
}

// annotations are the lines of a log that are commands to it, in an order of their own.
func annotations(log string) string {
	var lines []string
	for line := range strings.Lines(log) {
		if strings.HasPrefix(line, "::") {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
