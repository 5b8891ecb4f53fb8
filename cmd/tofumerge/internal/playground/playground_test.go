package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const pageDir = "../../../../docs/site/playground"

// ask answers a request, and decodes the answer.
func ask(t *testing.T, s *session, r request) (a answerRead) {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(s.answer(text), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// An answerRead is as much of an answer as tests look at.
type answerRead struct {
	Error   string
	Crash   bool
	Explain *explanation
	Engines []engineChoice
	Module  *struct {
		Engine, Title, Reason string
		IsRefused             bool
		Elsewhere             int
		Files                 []fileAnswer
		Findings, Silenced    []struct{ Rule, Severity, Path, Message string }
		Changes               *struct {
			Blocks      []json.RawMessage
			Count, Left string
		}
		Effective *struct {
			Texts []struct {
				Name  string
				Parts []struct{ Rows []rowRead }
			}
		}
	}
}

// A rowRead is as much of a row as tests look at.
type rowRead struct {
	Kind, Class, Text string
	Notes             []struct{ Kind, Place, Detail string }
}

// rules are the rules of the findings.
func (a *answerRead) rules() (list []string) {
	for _, f := range a.Module.Findings {
		list = append(list, f.Rule)
	}
	return list
}

// rows are the rows of the effective configuration.
func (a *answerRead) rows() (list []rowRead) {
	for _, text := range a.Module.Effective.Texts {
		for _, p := range text.Parts {
			list = append(list, p.Rows...)
		}
	}
	return list
}

// kinds are the kinds of the rows.
func (a *answerRead) kinds() (list []string) {
	for _, r := range a.rows() {
		list = append(list, r.Kind)
	}
	return list
}

func moduleIn(t *testing.T, dir string) *moduleText {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := &moduleText{Files: map[string]string{}}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		m.Files[e.Name()] = string(text)
	}
	return m
}

// Each story of the page shows what its title promises.
func TestStories(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(pageDir, "stories/stories.json"))
	if err != nil {
		t.Fatal(err)
	}
	var stories []struct{ Name, Open string }
	if err := json.Unmarshal(text, &stories); err != nil {
		t.Fatal(err)
	}
	rules := map[string]string{
		"encrypted": "block-replace-drops-arguments", "ingress": "block-replace-drops-blocks", "tags": "map-replace-drops-keys",
		"backend": "denied-override", "enabled": "no-effect",
	}
	if len(stories) != len(rules) {
		t.Errorf("%d stories, want %d", len(stories), len(rules))
	}
	for _, s := range stories {
		a := ask(t, &session{}, request{View: "effective", Module: moduleIn(t, filepath.Join(pageDir, "stories", s.Name))})
		if a.Error != "" || !slices.Equal(a.rules(), []string{rules[s.Name]}) {
			t.Errorf("%s: %v (%s), want %s", s.Name, a.rules(), a.Error, rules[s.Name])
			continue
		}
		if a.Module.Findings[0].Path != s.Open {
			t.Errorf("%s opens %s, and its finding is in %s", s.Name, s.Open, a.Module.Findings[0].Path)
		}
		if !slices.ContainsFunc(a.rows(), func(r rowRead) bool { return r.Class != "" }) {
			t.Errorf("%s shows no override: %v", s.Name, a.rows())
		}
	}
}

// The module is kept, so that the page need not send it for each view.
func TestViews(t *testing.T) {
	s := &session{}
	m := moduleIn(t, "../../../../testdata/modules/web")
	if a := ask(t, s, request{View: "changes", Module: m}); a.Module.Changes.Count != "2 changed, 2 added, 4 dropped in 2 blocks" || a.Module.Effective != nil {
		t.Errorf("changes: %+v", a.Module.Changes)
	}
	if a := ask(t, s, request{View: "effective"}); !slices.Contains(a.kinds(), "gone") || a.Module.Changes != nil {
		t.Errorf("effective: %v", a.kinds())
	}
	a := ask(t, s, request{View: "effective"})
	isNote := func(r rowRead) bool {
		return len(r.Notes) == 1 && r.Notes[0].Place == "local_override.tf:7" && r.Notes[0].Detail == `(was "m5.large" at main.tf:11)`
	}
	isBelow := func(r rowRead) bool {
		return r.Kind == "gone" && r.Text == `device_name = "/dev/sdb"`
	}
	if !slices.ContainsFunc(a.rows(), isNote) || !slices.ContainsFunc(a.rows(), isBelow) {
		t.Errorf("notes: %+v", a.rows())
	}
	if a := ask(t, s, request{View: "check"}); len(a.Module.Findings) != 2 || a.Module.Effective != nil {
		t.Errorf("check: %+v", a.Module)
	}
	for _, c := range []struct {
		at   position
		want string
	}{
		{position{"local_override.tf", 7, 5}, "replaced   main.tf:11           \"m5.large\"  by local_override.tf:7"},
		{position{"main.tf", 11, 3}, "aws_instance.web.instance_type = \"t3.micro\""},
		{position{"./main.tf", 9, 1}, "aws_instance.web"},
		{position{"main.tf", 8, 1}, ""},
		{position{"main.tf", 900, 1}, ""},
		{position{"other.tf", 1, 1}, ""},
		{position{"sub/main.tf", 11, 3}, ""},
	} {
		got := ask(t, s, request{View: "explain", At: &c.at}).Explain.Text
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%v: %q, want %q", c.at, got, c.want)
		}
	}
	if wide, narrow := ask(t, s, request{View: "explain", At: &position{"local_override.tf", 10, 0}}), ask(t, s, request{View: "explain", At: &position{"local_override.tf", 10, 0}, Columns: 40}); widest(wide.Explain.Text) <= 40 || widest(narrow.Explain.Text) > 40 {
		t.Errorf("%d columns, and of 40: %d", widest(wide.Explain.Text), widest(narrow.Explain.Text))
	}
	if a := ask(t, s, request{View: "engines"}); len(a.Engines) < 2 || a.Engines[0].Name != "opentofu" || len(a.Engines[0].Releases) < 5 {
		t.Errorf("engines: %v", a.Engines)
	}
}

// widest is the number of bytes of the longest line.
func widest(text string) (n int) {
	for line := range strings.Lines(text) {
		n = max(n, len(strings.TrimRight(line, "\n")))
	}
	return n
}

// Of the files, the engine is chosen as on a disk, settings apply, and other directories are not read.
func TestFiles(t *testing.T) {
	m := &moduleText{Dir: "live/prod", Files: map[string]string{
		".tofumerge.hcl":                "disable = [\"map-replace-drops-keys\"]\n",
		".terraform-version":            "1.9.8\n",
		"live/prod/main.tf":             "variable \"a\" {\n  default = 1\n}\nlocals {\n  m = { a = 1 }\n}\n",
		"live/prod/override.tf":         "variable \"a\" {\n  default = 2\n}\nlocals {\n  # tofumerge:ignore local-replaced\n  m = {}\n}\n",
		"live/prod/terraform.tfvars":    "b = 3\n",
		"live/prod/.terraform.lock.hcl": "provider \"x\" {\n",
		"live/prod/.tofumerge.hcl":      "",
		"live/prod/x.tofu":              "",
		"live/prod/main.tf~":            "",
		"live/prod/overide.tf":          "",
		"live/prod/notes.txt":           "",
		"live/prod/sub/main.tf":         "broken",
	}}
	a := ask(t, &session{}, request{View: "changes", Module: m})
	if a.Error != "" || a.Module.Engine != "terraform@1.9.8" || !strings.Contains(a.Module.Reason, ".terraform-version") {
		t.Fatalf("%s %+v", a.Error, a.Module)
	}
	var drawn []string
	for _, f := range a.Module.Files {
		drawn = append(drawn, f.Name+" "+f.Role+" "+f.Note)
	}
	want := []string{
		".terraform.lock.hcl lock ", ".tofumerge.hcl settings ", "main.tf primary ", "main.tf~ none Terraform doesn't read it", "notes.txt none ",
		"overide.tf primary ", "override.tf override ", "terraform.tfvars variables ", "x.tofu none Terraform doesn't read it",
	}
	if !slices.Equal(drawn, want) {
		t.Errorf("%q, want %q", drawn, want)
	}
	if a.Module.Elsewhere != 1 {
		t.Errorf("%d files elsewhere", a.Module.Elsewhere)
	}
	if rules := a.rules(); slices.Contains(rules, "map-replace-drops-keys") {
		t.Errorf("findings: %v", rules)
	}
	m.Engine = "opentofu@1.8"
	if a := ask(t, &session{}, request{View: "check", Module: m}); a.Module.Engine != "opentofu@1.8.11" {
		t.Errorf("the engine is %s", a.Module.Engine)
	}
}

// An assumed engine is mentioned where the other one differs.
func TestAssumedEngine(t *testing.T) {
	m := moduleIn(t, filepath.Join(pageDir, "stories/enabled"))
	if a := ask(t, &session{}, request{View: "check", Module: m}); !strings.Contains(a.Module.Findings[0].Message, "; Terraform 1.16 refuses it.") {
		t.Errorf("%+v", a.Module.Findings)
	}
	m.Engine = "terraform"
	s := &session{}
	ask(t, s, request{View: "check", Module: m})
	if a := ask(t, s, request{View: "explain", At: &position{File: "off_override.tf", Line: 4}}); a.Explain.Text != "Terraform refuses this. See the findings of check." {
		t.Errorf("%q", a.Explain.Text)
	}
	m.Engine = "opentofu"
	if a := ask(t, &session{}, request{View: "check", Module: m}); strings.Contains(a.Module.Findings[0].Message, "Terraform 1") {
		t.Errorf("%+v", a.Module.Findings)
	}
}

// Bad input gives an error with the file and the line, and never a crash.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		about string
		m     moduleText
		want  string
	}{
		{"no file", moduleText{}, "no configuration files"},
		{"another directory", moduleText{Dir: "a", Files: map[string]string{"main.tf": ""}}, "no configuration files (.tf, .tofu, .tf.json or .tofu.json) in a"},
		{"engine", moduleText{Engine: "pulumi", Files: map[string]string{"main.tf": ""}}, "the choice on the page: unknown engine"},
		{"settings", moduleText{Files: map[string]string{"main.tf": "", ".tofumerge.hcl": "\nmin_severity = 1\n"}}, ".tofumerge.hcl:2"},
		{"settings too large", moduleText{Files: map[string]string{"main.tf": "", ".tofumerge.hcl": strings.Repeat("#", 3<<20)}}, "it is larger than"},
	} {
		if a := ask(t, &session{}, request{View: "effective", Module: &c.m}); !strings.Contains(a.Error, c.want) || a.Crash {
			t.Errorf("%s: %q, want %q", c.about, a.Error, c.want)
		}
	}
	broken := &moduleText{Files: map[string]string{"main.tf": "resource \"a\" {\n", "override.tf": strings.Repeat("#", maxFile+1)}}
	s := &session{}
	a := ask(t, s, request{View: "effective", Module: broken})
	if rules := a.rules(); !a.Module.IsRefused || len(rules) < 2 || !strings.Contains(a.Module.Findings[1].Message, "which the playground reads at most") {
		t.Errorf("%+v", a.Module)
	}
	if a := ask(t, s, request{View: "explain", At: &position{"main.tf", 1, 1}}); a.Explain.Text != "" {
		t.Errorf("%+v", a.Explain)
	}
	for _, text := range []string{"", "{", `{"view": 1}`, `{"view": "effective"}`} {
		if got := string((&session{}).answer([]byte(text))); !strings.HasPrefix(got, `{"error":"`) {
			t.Errorf("%q gets %s", text, got)
		}
	}
	if a := ask(t, s, request{View: "explain"}); a.Error == "" {
		t.Error("no error for explain without a position")
	}
}

// A crash is an answer, and the next request gets one, too.
func TestCrash(t *testing.T) {
	s := &session{last: &analysis{}}
	if a := ask(t, s, request{View: "effective"}); !a.Crash || a.Error == "" {
		t.Errorf("%+v", a)
	}
	if a := ask(t, s, request{View: "engines"}); a.Crash || len(a.Engines) == 0 {
		t.Errorf("%+v", a)
	}
}

// Long lists are cut, and the answer mentions it.
func TestManyChanges(t *testing.T) {
	var main, override strings.Builder
	for i := range 2 * maxLines {
		name := strings.Repeat("a", 1+i%50) + strings.Repeat("b", i/50)
		main.WriteString("resource \"x\" \"" + name + "\" {\n  a = 1\n}\n")
		override.WriteString("resource \"x\" \"" + name + "\" {\n  a = 2\n}\n")
	}
	m := &moduleText{Files: map[string]string{"main.tf": main.String(), "override.tf": override.String()}}
	if c := ask(t, &session{}, request{View: "changes", Module: m}).Module.Changes; len(c.Blocks) != maxLines || c.Left == "" {
		t.Errorf("%d blocks, left: %q", len(c.Blocks), c.Left)
	}
}

// The program needs neither processes nor networks, and stays small without the packages that make
// the linker keep all methods.
func TestDependencies(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	cmd := exec.Command(goTool, "list", "-deps", ".")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "syscall/js") || !slices.Contains(deps, "github.com/tofumerge/tofumerge/internal/merge") {
		t.Fatalf("the list is wrong: %q", deps)
	}
	for _, d := range deps {
		for _, refused := range []string{
			"os/exec", "net", "net/http", "crypto/tls", "text/template", "html/template", "go/parser", "github.com/spf13/cobra",
			"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev", "github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace",
			"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver", "github.com/tofumerge/tofumerge/internal/render/webpage",
		} {
			if d == refused {
				t.Errorf("the playground depends on %s", d)
			}
		}
	}
}

// Standard input is a list of requests.
func TestServe(t *testing.T) {
	var out strings.Builder
	if err := serve(strings.NewReader("{\"view\": \"engines\"}\n{}\n"), &out); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(out.String(), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], `{"engines":`) || !strings.HasPrefix(lines[1], `{"error":`) {
		t.Errorf("%q", out.String())
	}
}
