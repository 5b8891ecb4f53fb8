package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"golang.org/x/tools/txtar"
)

// The real engine, if one is installed, compared with the program on the same files: both accept a
// module or both refuse it, and the engine makes the same plan for the output as for the original
// files.

// A liveCase is an archive in testdata/live. Its comment starts with a line "accepted: " and the
// engines that load the module: all, none, or a list such as "opentofu >= 1.11; terraform". A line
// "planned: no" may follow if they refuse it only when it is planned, "warned: SUMMARY" if the
// program only warns of the refusal, or "printed: native" if JSON can't express it; then the
// expected behaviour. Its files are a module of built-in resources, its child modules and its
// state.
type liveCase struct {
	name     string
	accepted func(engine.Release) bool
	planned  bool
	warned   string
	printed  map[string][]string // flags by the file that the output is saved as
	files    map[string]string
}

func readLiveCases(t *testing.T) []liveCase {
	t.Helper()
	paths, err := filepath.Glob("../../../../testdata/live/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var cases []liveCase
	for _, path := range paths {
		arch, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := newLiveCase(t, path, string(arch.Comment))
		for _, f := range arch.Files {
			c.files[f.Name] = string(f.Data)
		}
		cases = append(cases, c)
	}
	return cases
}

// newLiveCase parses the comment of a case.
func newLiveCase(t *testing.T, path, comment string) liveCase {
	t.Helper()
	first, rest, _ := strings.Cut(comment, "\n")
	second, _, _ := strings.Cut(rest, "\n")
	list, ok := strings.CutPrefix(first, "accepted: ")
	if !ok {
		t.Fatalf("%s: the first line must be \"accepted: ENGINES\"", path)
	}
	c := liveCase{
		name:     strings.TrimSuffix(filepath.Base(path), ".txtar"),
		accepted: acceptedBy(t, list),
		planned:  second != "planned: no",
		printed:  map[string][]string{"main.tf": nil, "main.tf.json": {"--json"}},
		files:    map[string]string{},
	}
	if warned, ok := strings.CutPrefix(second, "warned: "); ok {
		c.warned = ": " + warned // a warning or, where the engine refuses it later, an error
	}
	if second == "printed: native" {
		delete(c.printed, "main.tf.json")
	}
	return c
}

// acceptedBy reads which engines accept a module.
func acceptedBy(t *testing.T, list string) func(engine.Release) bool {
	t.Helper()
	if list == "all" || list == "none" {
		return func(engine.Release) bool { return list == "all" }
	}
	var set engine.Releases
	for part := range strings.SplitSeq(list, "; ") {
		name, constraint, _ := strings.Cut(part, " ")
		of, ok := map[string]*string{"opentofu": &set.OpenTofu, "terraform": &set.Terraform}[name]
		if !ok {
			t.Fatalf("there is no engine %q", name)
		}
		*of = cmp.Or(constraint, ">= 0")
	}
	return set.Has
}

// dir writes the files of the case, with others instead of its configuration if there are any.
func (c liveCase) dir(t *testing.T, instead map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := maps.Clone(c.files)
	maps.DeleteFunc(files, func(name, _ string) bool {
		return instead != nil && !strings.Contains(name, "/") && isConfiguration.MatchString(name)
	})
	maps.Copy(files, instead)
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var isConfiguration = regexp.MustCompile(`\.(tf|tofu)(\.json)?$`)

// A livePlan is an engine's result for a directory.
type livePlan struct {
	loads, plans bool
	errs         string
	facts        map[string]any // parts of its plan
}

// livePlanOf initializes a directory, and plans it.
func livePlanOf(t *testing.T, l loadtest.LiveEngine, dir string) livePlan {
	t.Helper()
	errs, ok := l.Init(t, dir)
	if !ok {
		return livePlan{errs: errs}
	}
	run := func(args ...string) (out, errs string, ok bool) {
		return l.Run(t, loadtest.Call{Dir: dir, Args: args})
	}
	if _, errs, ok = run("plan", "-no-color", "-input=false", "-lock=false", "-refresh=false", "-out=plan"); !ok {
		return livePlan{loads: true, errs: errs}
	}
	out, errs, _ := run("show", "-no-color", "-json", "plan")
	p := livePlan{loads: true, plans: true, errs: errs}
	if err := json.Unmarshal([]byte(out), &p.facts); err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	delete(p.facts, "timestamp")
	withoutTemplates(p.facts["configuration"])
	return p
}

// withoutTemplates removes the constant values of templates from an engine's output: in JSON they
// are texts, natively there are none.
func withoutTemplates(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			withoutTemplates(e)
		}
	case map[string]any:
		text := fmt.Sprint(v["constant_value"])
		if v["references"] != nil || strings.Contains(text, "${") || strings.Contains(text, "%{") {
			delete(v, "constant_value")
		}
		for _, e := range v {
			withoutTemplates(e)
		}
	}
}

// TestLive runs each case with each engine that is there.
func TestLive(t *testing.T) {
	engines := loadtest.LiveEngines(t)
	for _, c := range readLiveCases(t) {
		for _, l := range engines {
			t.Run(c.name+"/"+l.String(), func(t *testing.T) {
				t.Parallel()
				c.check(t, l)
			})
		}
	}
}

func (c liveCase) check(t *testing.T, l loadtest.LiveEngine) {
	want := livePlanOf(t, l, c.dir(t, nil))
	if accepted := c.accepted(l.Release); want.loads != accepted || want.plans != (accepted && c.planned) {
		t.Fatalf("the engine loads it: %t, plans it: %t, which the case does not say\n%s", want.loads, want.plans, want.errs)
	}
	for name, flags := range c.printed {
		got := runOnDir(c.dir(t, nil), append(slices.Clone(flags), "--engine", l.String())...)
		warns := !want.loads && c.warned != "" && strings.Contains(got.errs, c.warned)
		if accepts := got.status == ExitOK; accepts != (want.loads || warns) {
			t.Fatalf("the program accepts it: %t\n%s\nthe engine: %t\n%s", accepts, got.errs, want.loads, want.errs)
		} else if !accepts {
			continue
		}
		again := livePlanOf(t, l, c.dir(t, map[string]string{name: got.out}))
		if diff := gocmp.Diff(want.facts, again.facts); diff != "" || again.loads != want.loads || want.loads && summaries(again.errs) != summaries(want.errs) {
			t.Errorf("%s (-original +printed):\n%s\n%s\n%s", name, diff, again.errs, got.out)
		}
	}
}

// runOnDir runs the program on a directory.
func runOnDir(dir string, args ...string) outcome {
	var out, errs bytes.Buffer
	status := Run(append(args, dir), Streams{Out: &out, Err: &errs, Env: func(string) string { return "" }})
	return outcome{status, out.String(), errs.String()}
}

// summaries are the first lines of an engine's errors, which name no location.
func summaries(errs string) string {
	lines := regexp.MustCompile(`(?m)^Error: .*$`).FindAllString(errs, -1)
	slices.Sort(lines)
	return fmt.Sprint(lines)
}
