package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"go/token"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

const modulePath = "github.com/tofumerge/tofumerge"

//go:embed mutant.go.txt
var mutantSource []byte

//go:embed equivalent.txt
var equivalentText string

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	n := flags.Int("n", 0, "try this many defects, chosen at random; 0 tries all")
	seed := flags.Uint64("seed", 1, "choose by this seed")
	jobs := flags.Int("j", 2, "try this many at a time")
	only := flags.String("file", "", "plant defects only in files whose path contains this")
	ownOnly := flags.Bool("own", false, "ask only the tests of the package that a defect is in")
	limit := flags.Duration("time", 0, "stop after this time, and report what was found out; 0 means no limit")
	least := flags.Float64("min", 0, "fail if less than this share of the defects is noticed, in percent")
	if err := flags.Parse(args); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	w, err := weave(flags.Args())
	if err != nil {
		return err
	}
	r := &runner{work: work, switches: len(w.mutants), jobs: *jobs, ownOnly: *ownOnly}
	started := time.Now()
	if *limit > 0 {
		r.deadline = started.Add(*limit)
	}
	r.note = func(format string, args ...any) {
		fmt.Fprintf(progress, "%5d s: %s\n", int(time.Since(started).Seconds()), fmt.Sprintf(format, args...))
	}
	if flags.NArg() == 0 {
		for _, key := range stale(w.mutants) {
			r.note("equivalent.txt is about no defect any more: %s", key)
		}
	}
	chosen := choose(w.mutants, *n, *seed, *only)
	r.note("%d of %d defects are chosen by seed %d", len(chosen), len(w.mutants), *seed)
	if r.overlay, err = w.overlay(work, chosen); err != nil {
		return err
	}
	if r.dirs, r.users, err = testedPackages(); err != nil {
		return err
	}
	results, err := r.try(chosen)
	if err != nil {
		return err
	}
	share, unjudged := report(func(format string, args ...any) { fmt.Fprintf(out, format, args...) }, results)
	if unjudged > 0 {
		return fmt.Errorf("the time was up before %d of the defects were judged, so the share of all is not known", unjudged)
	}
	if share < *least {
		return fmt.Errorf("%.1f %% of the defects are noticed; at least %g %% should be", share, *least)
	}
	return nil
}

// choose drops those known to be equivalent, and picks n of the rest.
func choose(mutants []*mutant, n int, seed uint64, only string) []*mutant {
	known := equivalents()
	chosen := slices.DeleteFunc(slices.Clone(mutants), func(m *mutant) bool {
		return known[m.key()] || !strings.Contains(m.at.Filename, only)
	})
	r := rand.New(rand.NewPCG(seed, seed))
	r.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	if n > 0 && n < len(chosen) {
		chosen = chosen[:n]
	}
	slices.SortFunc(chosen, func(a, b *mutant) int { return a.id - b.id })
	return chosen
}

// key names a defect wherever its line is.
func (m *mutant) key() string { return filepath.Base(m.at.Filename) + ": " + m.what }

// equivalents are the lines of equivalent.txt, each a defect's key, a tab and why
// no input can show it.
func equivalents() map[string]bool {
	known := map[string]bool{}
	for line := range strings.Lines(equivalentText) {
		if key, _, ok := strings.Cut(line, "\t"); ok {
			known[key] = true
		}
	}
	return known
}

// stale are the keys of equivalent.txt without a defect, in order.
func stale(mutants []*mutant) []string {
	known := equivalents()
	for _, m := range mutants {
		delete(known, m.key())
	}
	return slices.Sorted(maps.Keys(known))
}

// weave finds the defects of packages; without a pattern, of all but those that only help tests.
func weave(patterns []string) (*weaver, error) {
	all := len(patterns) == 0
	if all {
		patterns = []string{"./internal/...", "./cmd/..."}
	}
	fset := token.NewFileSet()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Fset: fset}, patterns...)
	if err != nil {
		return nil, err
	}
	w := &weaver{fset: fset, edits: map[string][]edit{}, imports: map[string]edit{}}
	for _, p := range pkgs {
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
		if all && strings.HasSuffix(p.PkgPath, "test") {
			continue
		}
		if err := w.weave(p, os.ReadFile); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// overlay writes the files into which chosen defects are woven, and the list of them that the
// compiler takes.
func (w *weaver) overlay(work string, chosen []*mutant) (string, error) {
	isChosen := map[int]bool{}
	for _, m := range chosen {
		isChosen[m.id] = true
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	put := func(name string, text []byte) error {
		as := filepath.Join(work, fmt.Sprintf("%d.go", len(replace)))
		replace[name] = as
		return os.WriteFile(as, text, 0o644)
	}
	if err := put(filepath.Join(here, "internal", "mutant", "mutant.go"), mutantSource); err != nil {
		return "", err
	}
	for name, edits := range w.edits {
		edits = slices.DeleteFunc(slices.Clone(edits), func(e edit) bool {
			return !slices.ContainsFunc(e.of, func(id int) bool { return isChosen[id] })
		})
		if len(edits) == 0 {
			continue
		}
		edits = append(edits, w.imports[name])
		src, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if err := put(name, applied(src, edits)); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(work, "overlay.json")
	return name, os.WriteFile(name, list, 0o644)
}

// applied is a text with edits made. At one offset what closes comes first, from
// the inside out, then what opens, from the outside in.
func applied(src []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int {
		switch {
		case a.start != b.start:
			return a.start - b.start
		case a.closes != b.closes && a.closes:
			return -1
		case a.closes != b.closes:
			return 1
		case a.closes:
			return b.depth - a.depth
		}
		return a.depth - b.depth
	})
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, src[at:e.start]...)
		out = append(out, e.text...)
		at = e.end
	}
	return append(out, src[at:]...)
}

// testedPackages are the directories of the packages that have tests, and for each package those
// whose tests depend on it.
func testedPackages() (dirs map[string]string, users map[string][]string, err error) {
	const format = `{{if .ForTest}}{{else if eq .Name "main"}}{{.ImportPath}} {{.Dir}}{{range .Deps}} {{.}}{{end}}{{end}}`
	text, err := exec.Command("go", "list", "-test", "-f", format, "./...").Output()
	if err != nil {
		return nil, nil, err
	}
	dirs, users = map[string]string{}, map[string][]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		pkg, isTest := "", false
		if len(fields) > 2 {
			pkg, isTest = strings.CutSuffix(fields[0], ".test")
		}
		if !isTest {
			continue
		}
		dirs[pkg] = fields[1]
		for _, dep := range fields[2:] {
			if strings.HasPrefix(dep, modulePath) && !slices.Contains(users[dep], pkg) {
				users[dep] = append(users[dep], pkg)
			}
		}
	}
	return dirs, users, nil
}

// short is a package's path within the module.
func short(pkg string) string { return strings.TrimPrefix(pkg, modulePath+"/") }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
