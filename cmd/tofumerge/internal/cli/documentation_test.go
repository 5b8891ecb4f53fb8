package cli

import (
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"golang.org/x/tools/txtar"
)

// A difference is a claim of the documentation that the engines contradict: an archive in
// testdata/documentation, of which docs/engines/documentation-gaps.md is made. Its comment has
// lines "KEY: TEXT", a text going on until the next key: title, says (the claim), does (the
// behaviour), do (the remedy), releases (in which the first command shows it, found by running it),
// perhaps rules (paths of the rows it is about) and page (of the documentation, if not the one
// about override files). Its files are a module, except for want.txt: commands and their output.
type difference struct {
	name, path string
	arch       *txtar.Archive
	text       map[string]string
	examples   []example
}

// An example is a command and its output.
type example struct{ command, want string }

const wanted = "want.txt"

var (
	keyName      = regexp.MustCompile(`^[a-z]+$`)
	engineName   = regexp.MustCompile(`(?:OpenTofu|Terraform)(?: \d+\.\d+\.\d+(?:-\w+)?)?| \((?:up to )?\d+\.\d+(?: to \d+\.\d+| and later)?\)`)
	engineOption = regexp.MustCompile(`--engine (\S+)`)
	engineNote   = regexp.MustCompile(`(?m)^Note: .*\n(?:  .*\n)*`) // on a prerelease
)

func readDifferences(t *testing.T) []*difference {
	t.Helper()
	paths, err := filepath.Glob("../../../../testdata/documentation/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("testdata/documentation has no archive: ", err)
	}
	var list []*difference
	for _, path := range paths {
		arch, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := &difference{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), path: path, arch: arch, text: texts(arch.Comment)}
		for _, key := range []string{"title", "says", "does", "do"} {
			if d.text[key] == "" {
				t.Errorf("%s has no line %q", path, key+": …")
			}
		}
		d.examples = examplesIn(string(d.file(wanted).Data))
		list = append(list, d)
	}
	return list
}

// texts reads the lines of a comment.
func texts(comment []byte) map[string]string {
	known := map[string]string{}
	key := ""
	for line := range strings.Lines(string(comment)) {
		if name, text, ok := strings.Cut(line, ": "); ok && keyName.MatchString(name) {
			key, line = name, text
		}
		known[key] = strings.TrimSpace(known[key] + " " + strings.TrimSpace(line))
	}
	return known
}

func examplesIn(text string) []example {
	var list []example
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, example{command: strings.TrimSpace(command)})
		} else if len(list) > 0 {
			list[len(list)-1].want += line
		}
	}
	return list
}

func (d *difference) file(name string) *txtar.File {
	for i := range d.arch.Files {
		if d.arch.Files[i].Name == name {
			return &d.arch.Files[i]
		}
	}
	return &txtar.File{}
}

// module is the files that are shown.
func (d *difference) module() map[string]string {
	files := map[string]string{}
	for _, f := range d.arch.Files {
		if f.Name != wanted {
			files[f.Name] = string(f.Data)
		}
	}
	return files
}

// engine is the engine that the first command names.
func (d *difference) engine(t *testing.T) engine.Release {
	t.Helper()
	m := engineOption.FindStringSubmatch(d.examples[0].command)
	if m == nil {
		t.Fatalf("%s: the first command has no --engine", d.path)
	}
	e, err := engine.Parse(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// printed is the output of a command on both streams together, and on each of them.
func printed(command string) (both, out, errs string) {
	args, isSilent := strings.CutSuffix(strings.TrimPrefix(command, "tofumerge "), " 2>/dev/null")
	var all, o, e bytes.Buffer
	Run(strings.Fields(args), Streams{Out: io.MultiWriter(&all, &o), Err: io.MultiWriter(&all, &e), Env: func(string) string { return "" }})
	if isSilent {
		return o.String(), o.String(), ""
	}
	return all.String(), o.String(), e.String()
}

// TestDocumentation runs the commands of each difference, and finds the releases
// that do as the first one shows.
func TestDocumentation(t *testing.T) {
	for _, d := range readDifferences(t) {
		t.Run(d.name, func(t *testing.T) {
			d.checkRules(t)
			path, err := filepath.Abs(d.path)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(clitest.Write(t, d.module()))
			got := ""
			for _, x := range d.examples {
				both, _, _ := printed(x.command)
				got += "$ " + x.command + "\n" + strings.Trim(both, "\n") + "\n\n"
			}
			got = strings.TrimSuffix(got, "\n")
			if *update {
				d.rewrite(t, path, got, d.releases(t))
				return
			}
			if diff := cmp.Diff(string(d.file(wanted).Data), got); diff != "" {
				t.Errorf("(-%s +got):\n%s", wanted, diff)
			}
			if diff := cmp.Diff(d.text["releases"], d.releases(t)); diff != "" {
				t.Errorf("the first command prints the same for other releases (-want +got):\n%s", diff)
			}
		})
	}
}

// releases words the set of releases for which the first command prints the same: the same result,
// or the same messages without a result, apart from the release's own name.
func (d *difference) releases(t *testing.T) string {
	t.Helper()
	said := func(e engine.Release) string {
		_, out, errs := printed(engineOption.ReplaceAllString(d.examples[0].command, "--engine "+e.String()))
		if out == "" {
			out = engineNote.ReplaceAllString(errs, "")
		}
		return strings.Join(strings.Fields(engineName.ReplaceAllString(out, "the engine")), " ") // lines may break elsewhere
	}
	want := said(d.engine(t))
	return engine.Describe(func(e engine.Release) bool { return said(e) == want })
}

func (d *difference) rewrite(t *testing.T, path, want, releases string) {
	t.Helper()
	comment := regexp.MustCompile(`(?m)^releases: .*\n`).ReplaceAllString(string(d.arch.Comment), "")
	d.arch.Comment = []byte(strings.Replace(comment, "\nsays: ", "\nreleases: "+releases+"\nsays: ", 1))
	d.file(wanted).Data = []byte(want)
	if err := os.WriteFile(path, txtar.Format(d.arch), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkRules checks that the rules named by a difference are applied in it.
func (d *difference) checkRules(t *testing.T) {
	t.Helper()
	used := rulesUsed(t, clitest.Write(t, d.module()), d.engine(t))
	for _, path := range strings.Fields(d.text["rules"]) {
		if !slices.Contains(used, path) {
			t.Errorf("%s is to be about %s, but no item of an override file came under that rule", d.path, path)
		}
	}
}

// TestEveryContradictionIsTold fails if a row of the table contradicts the documentation, and no
// difference is about that row or about one of the same name elsewhere.
func TestEveryContradictionIsTold(t *testing.T) {
	type contradiction struct{ name, releases string }
	told := map[contradiction]bool{}
	of := func(r *rules.Rule) contradiction {
		return contradiction{r.Path[strings.LastIndexByte(r.Path, '/')+1:], r.Releases()}
	}
	for _, d := range readDifferences(t) {
		for _, path := range strings.Fields(d.text["rules"]) {
			if r := rules.Of(path, d.engine(t)); r != nil {
				told[of(r)] = true
			}
		}
	}
	for _, r := range rules.All() {
		if r.Contradicts && !told[of(r)] {
			t.Errorf("no difference in testdata/documentation is about %s: %s", r.Path, r.Why)
		}
	}
}

// rulesUsed lists the paths of the rules that items of override files came under.
func rulesUsed(t *testing.T, dir string, e engine.Release) []string {
	t.Helper()
	src, _, err := load.Dir(dir, load.Options{Engine: e})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := merge.Files(src, merge.Options{})
	used := map[string]bool{}
	eachStep(m.All(), func(_ *merge.MergedItem, s merge.Step) {
		for _, it := range []source.Item{s.Item, s.By()} {
			if it != nil && it.Source().Role == source.Override {
				used[s.Rule.Path] = true
			}
		}
	})
	return slices.Sorted(maps.Keys(used))
}

// eachStep calls visit with every step of every history. Items that no override addressed have one step, in
// which a primary file defined them.
func eachStep(items []*merge.MergedItem, visit func(*merge.MergedItem, merge.Step)) {
	for _, e := range items {
		for _, s := range e.Steps {
			visit(e, s)
		}
		if e.Inner() != nil {
			eachStep(e.Inner().All(), visit)
		}
	}
}
