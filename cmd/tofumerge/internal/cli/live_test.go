package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// The real engine, if one is installed, compared with the program on the same files: both accept a
// module or both refuse it, and the engine makes the same of the output as of the original files.
// Without a provider or a module that the files need, it only says whether it loads them.

// A liveCase is an archive of a module. The comments of those in testdata/live start with a line
// "accepted: " and the engines that load the module: all, none, or a list such as
// "opentofu >= 1.11; terraform". A line "planned: no" follows if they refuse it only when it is
// planned, "warned: SUMMARY" if the program only warns of the refusal; then the expected behaviour.
// Their modules consist of built-in resources, child modules and state. In any archive, a line
// "printed: native" is for a module that JSON can't express, and "printed: no" for one whose output
// means something else.
type liveCase struct {
	*loadtest.Case
	loadtest.LiveEngine
	rows     []string          // that the case is about
	accepted bool              // or unknown, outside testdata/live
	number   int               // of the case in its directory
	keys     map[string]string // of the comment
}

var commentKey = regexp.MustCompile(`(?m)^([a-z]+): (.*)$`)

// newLiveCase parses the comment of a case.
func newLiveCase(t *testing.T, of *loadtest.Case, l loadtest.LiveEngine) liveCase {
	t.Helper()
	c := liveCase{Case: of, LiveEngine: l, keys: map[string]string{}}
	for _, m := range commentKey.FindAllStringSubmatch(of.Comment, -1) {
		c.keys[m[1]] = m[2]
	}
	if list := c.keys["accepted"]; list != "" {
		c.accepted = acceptedBy(t, list)(l.Release)
	}
	dir := c.dir(t, nil)
	if _, _, err := load.Dir(dir, load.Options{Engine: l.Release}); err != nil {
		t.Skip(err)
	}
	c.rows = rulesUsed(t, dir, l.Release)
	if named := strings.Fields(c.keys["rules"]); len(named) > 0 {
		c.rows = slices.DeleteFunc(c.rows, func(row string) bool { return !slices.Contains(named, row) })
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
	files := map[string]string{}
	for name, text := range c.Files {
		if instead == nil || strings.Contains(name, "/") || !isConfiguration.MatchString(name) {
			files[name] = string(text)
		}
	}
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
	facts        map[string]any // what it shows of the effective configuration
}

// plan initializes a directory and plans it. Without a provider or a module it only validates the directory, and shows the
// module if it can.
func (c liveCase) plan(t *testing.T, dir string, vars variables) livePlan {
	t.Helper()
	errs, loads := c.Init(t, dir)
	if loads {
		return c.planInitialized(t, dir, vars)
	}
	p := livePlan{errs: errs, facts: map[string]any{}}
	out, _, _ := c.Run(t, loadtest.Call{Dir: dir, Args: []string{"validate", "-json"}, Env: vars.env})
	if p.loads = onlyLacks(t, out); p.loads {
		if out, _, ok := c.Run(t, loadtest.Call{Dir: dir, Args: []string{"show", "-json", "-module=."}, Env: vars.env}); ok {
			p.facts["module"] = decoded(t, out)
		}
	}
	return p
}

// planInitialized plans an initialized directory, and evaluates its variables.
func (c liveCase) planInitialized(t *testing.T, dir string, vars variables) livePlan {
	t.Helper()
	run := func(input string, args ...string) (out, errs string, ok bool) {
		return c.Run(t, loadtest.Call{Dir: dir, Args: args, Env: vars.env, Input: input})
	}
	p := livePlan{loads: true, facts: map[string]any{}}
	if _, p.errs, p.plans = run("", "plan", "-no-color", "-input=false", "-lock=false", "-refresh=false", "-out=plan"); p.plans {
		out, _, _ := run("", "show", "-no-color", "-json", "plan")
		p.facts = decoded(t, out)
		delete(p.facts, "timestamp")
		withoutTemplates(p.facts["configuration"])
	}
	if vars.input != "" {
		out, errs, _ := run(vars.input, "console", "-no-color")
		p.facts["console"] = ofWarning.ReplaceAllString(out[max(0, strings.Index("\n"+out, "\n[")):], "") + summaries(errs)
	}
	p.facts["errors"] = summaries(p.errs)
	return p
}

// planAgain plans a directory that is initialized, with another file instead of its configuration. Most printed modules need
// nothing else initialized.
func (c liveCase) planAgain(t *testing.T, dir string, vars variables, name, text string) livePlan {
	t.Helper()
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if isConfiguration.MatchString(e.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	if err := errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	if p := c.planInitialized(t, dir, vars); p.plans {
		return p
	}
	return c.plan(t, c.dir(t, map[string]string{name: text}), vars)
}

// ofWarning are the locations and the source lines of warnings between what a console prints.
var ofWarning = regexp.MustCompile(`(?m)^ +(on \S+ line [0-9]+.*|[0-9]+: .*)\n`)

// decoded is an object in JSON, with its numbers as they are written.
func decoded(t *testing.T, text string) (object map[string]any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&object); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return object
}

// onlyLacks reports whether the only errors in the output of validate are that providers or modules
// are missing.
func onlyLacks(t *testing.T, out string) bool {
	t.Helper()
	var found struct {
		Diagnostics []struct{ Severity, Summary string }
	}
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, d := range found.Diagnostics {
		if d.Severity == "error" && d.Summary != "Missing required provider" && d.Summary != "Module not installed" {
			return false
		}
	}
	return true
}

// variables are what a console is asked about.
type variables struct {
	input string
	env   []string // values for those without default
}

// variablesOf finds the variables and local values of a printed module.
func variablesOf(t *testing.T, printed string) (v variables) {
	t.Helper()
	module := decoded(t, printed)
	var list []string
	blocks, _ := module["variable"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(blocks)) {
		list = append(list, "var."+name)
		block, _ := blocks[name].(map[string]any)
		kind, _, _ := strings.Cut(fmt.Sprint(block["type"]), "(")
		value := cmp.Or(map[string]string{"object": "{}", "map": "{}", "list": "[]", "set": "[]", "tuple": "[]"}[kind], "1")
		if block["default"] == nil {
			v.env = append(v.env, "TF_VAR_"+name+"="+value)
		}
	}
	locals, isList := module["locals"].([]any)
	if !isList {
		locals = []any{module["locals"]}
	}
	for _, block := range locals {
		block, _ := block.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(block)) {
			list = append(list, "local."+name)
		}
	}
	if list != nil {
		all := "[" + strings.Join(list, ", ") + "]"
		v.input = all + "\ntype(" + all + ")\n"
	}
	return v
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

// TestLive asks each engine that is there about each case in testdata/live, and about one form of the output: native
// for one case and JSON for the next. The one that is named is asked about both, and about each other case of a module.
func TestLive(t *testing.T) {
	engines := loadtest.LiveEngines(t)
	for _, dir := range []string{"live", "rules", "documentation"} {
		if dir != "live" && !loadtest.IsWatched() {
			t.Logf("no engine is asked about testdata/%s; .ci/watch does that", dir)
			continue
		}
		number := 0
		loadtest.Each(t, "../../../../testdata/"+dir, func(t *testing.T, c *loadtest.Case) {
			own := number
			number++
			for _, l := range engines {
				t.Run(l.String(), func(t *testing.T) {
					t.Parallel()
					live := newLiveCase(t, c, l)
					live.number = own
					live.check(t)
				})
			}
		})
	}
}

// check asks the engine about the files of the case, and about what the program prints for them.
func (c liveCase) check(t *testing.T) {
	print := func(flags ...string) outcome {
		return runOnDir(c.dir(t, nil), append(flags, "--engine", c.String())...)
	}
	native, asJSON := print(), print("--json")
	var vars variables
	if asJSON.status == ExitOK {
		vars = variablesOf(t, asJSON.out)
	}
	dir := c.dir(t, nil)
	want := c.plan(t, dir, vars)
	if plans := c.accepted && c.keys["planned"] != "no"; c.keys["accepted"] != "" && (want.loads != c.accepted || want.plans != plans) {
		words := func(loads, plans bool) string { return fmt.Sprintf("loads it: %t, plans it: %t", loads, plans) }
		c.answered(t, c.rows, words(c.accepted, plans), strings.TrimSpace(words(want.loads, want.plans)+" "+summaries(want.errs)))
		return
	}
	hasJSON, isEven := c.keys["printed"] != "native", c.number%2 == 0
	if loadtest.IsWatched() || isEven || !hasJSON {
		c.checkPrinted(t, dir, vars, want, "main.tf", native)
	}
	if hasJSON && (loadtest.IsWatched() || !isEven) {
		c.checkPrinted(t, dir, vars, want, "main.tf.json", asJSON)
	}
}

// checkPrinted compares what the engine makes of the files with what it makes of the output.
func (c liveCase) checkPrinted(t *testing.T, dir string, vars variables, want livePlan, name string, printed outcome) {
	t.Helper()
	accepts := printed.status == ExitOK
	warned := c.keys["warned"]
	warns := warned != "" && strings.Contains(printed.errs, ": "+warned) // it fails where the engine refuses the module later
	switch {
	case c.keys["printed"] == "no":
		return
	case accepts != want.loads && (want.loads || !warns):
		c.answered(t, c.rows, verdict(accepts, printed.errs), verdict(want.loads, want.errs))
		return
	case !accepts:
		c.answered(t, c.rowsThat(func(r *rules.Rule) bool { return r.Do == rules.Reject || r.Missing != "" || r.Check != 0 }), "refuses it", "refuses it")
		return
	case clitest.Loses(printed.errs):
		return
	}
	var again livePlan
	if want.plans {
		again = c.planAgain(t, dir, vars, name, printed.out)
	} else {
		again = c.plan(t, c.dir(t, map[string]string{name: printed.out}), vars)
	}
	if warns && !again.loads {
		return
	}
	claimed, given := apart("", again.facts, want.facts)
	if again.loads != want.loads {
		claimed, given = verdict(again.loads, again.errs), verdict(want.loads, want.errs)
	}
	rows := c.rows
	if _, isWhole := want.facts["errors"]; !isWhole && claimed == given {
		rows = c.rowsThat(func(r *rules.Rule) bool { return want.facts["module"] != nil && shownAlone.MatchString(r.Path) })
	}
	c.answered(t, rows, claimed, given)
	if claimed != given {
		t.Logf("%s, as printed:\n%s%s", name, printed.out, again.errs)
	}
}

// shownAlone are the paths of what engines show of a module without its providers and child modules.
var shownAlone = regexp.MustCompile(`^(variable|output|provider)(/|$)|^module/(source|version)$|/(provider|provisioner)$`)

// rowsThat are the rows of the case whose rules pass.
func (c liveCase) rowsThat(passes func(*rules.Rule) bool) (list []string) {
	for _, row := range c.rows {
		if r := rules.Of(row, c.Release); r != nil && passes(r) {
			list = append(list, row)
		}
	}
	return list
}

func (c liveCase) answered(t *testing.T, rows []string, claimed, given string) {
	t.Helper()
	loadtest.Answered(t, loadtest.Answer{Module: c.Module(), Rows: rows, Claimed: claimed, Given: given})
}

// verdict words whether a module is accepted.
func verdict(isAccepted bool, errs string) string {
	if isAccepted {
		return "accepts it"
	}
	return "refuses it: " + summaries(errs)
}

// apart words in what two values differ, by the paths of their parts; of texts the lines between those
// that are the same.
func apart(path string, a, b any) (inA, inB string) {
	of, isMap := a.(map[string]any)
	other, isOtherMap := b.(map[string]any)
	if isMap && isOtherMap {
		both := maps.Clone(of)
		maps.Copy(both, other)
		for _, name := range slices.Sorted(maps.Keys(both)) {
			x, y := apart(path+"."+name, of[name], other[name])
			inA, inB = inA+x, inB+y
		}
		return inA, inB
	}
	if reflect.DeepEqual(a, b) {
		return "", ""
	}
	x, y := strings.Split(asText(a), "\n"), strings.Split(asText(b), "\n")
	for len(x) > 1 && len(y) > 1 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 1 && len(y) > 1 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	path = strings.TrimPrefix(path, ".") + ": "
	return path + strings.Join(x, "\n") + "\n", path + strings.Join(y, "\n") + "\n"
}

// asText is a text, or a value as JSON.
func asText(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	made, _ := json.Marshal(v)
	return string(made)
}

// runOnDir runs the program on a directory.
func runOnDir(dir string, args ...string) outcome {
	var out, errs bytes.Buffer
	status := Run(append(args, dir), Streams{Out: &out, Err: &errs, Env: func(string) string { return "" }})
	return outcome{status, out.String(), errs.String()}
}

// summaries are the first lines of an engine's errors, which name no location, with the number of each.
func summaries(errs string) string {
	count := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^Error: (.*)$`).FindAllStringSubmatch(errs, -1) {
		count[m[1]]++
	}
	var list []string
	for _, summary := range slices.Sorted(maps.Keys(count)) {
		list = append(list, fmt.Sprintf("%d × %s", count[summary], summary))
	}
	return strings.Join(list, ", ")
}
