package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
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
	if err := flags.Parse(args); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	mutants, bins, err := build(work, flags.Args())
	if err != nil {
		return err
	}
	fmt.Fprintf(progress, "%d defects woven in\n", len(mutants))
	if flags.NArg() == 0 {
		for _, key := range stale(mutants) {
			fmt.Fprintf(progress, "equivalent.txt is about no defect any more: %s\n", key)
		}
	}
	units, err := list(work, bins, len(mutants), *jobs)
	if err != nil {
		return err
	}
	fmt.Fprintf(progress, "%d tests pass without a defect\n", len(units))
	chosen := choose(mutants, *n, *seed, *only)
	results, err := try(work, chosen, units, len(mutants), *jobs, progress)
	if err != nil {
		return err
	}
	return report(out, results)
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

// stale are the keys of equivalent.txt that are no defect's, in order.
func stale(mutants []*mutant) []string {
	known := equivalents()
	for _, m := range mutants {
		delete(known, m.key())
	}
	return slices.Sorted(maps.Keys(known))
}

// build weaves all defects in and compiles the tests of every package.
func build(work string, patterns []string) ([]*mutant, []testBinary, error) {
	if len(patterns) == 0 {
		patterns = []string{"./internal/...", "./cmd/..."}
	}
	fset := token.NewFileSet()
	conf := &packages.Config{Mode: packages.LoadSyntax, Fset: fset}
	pkgs, err := packages.Load(conf, patterns...)
	if err != nil {
		return nil, nil, err
	}
	w := &weaver{fset: fset, edits: map[string][]edit{}}
	for _, p := range pkgs {
		if len(p.Errors) > 0 {
			return nil, nil, p.Errors[0]
		}
		if err := w.weave(p, os.ReadFile); err != nil {
			return nil, nil, err
		}
	}
	overlay, err := w.overlay(work)
	if err != nil {
		return nil, nil, err
	}
	bins, err := compile(work, overlay)
	return w.mutants, bins, err
}

// overlay writes the woven files and the list of them that the compiler takes.
func (w *weaver) overlay(work string) (string, error) {
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

// A testBinary is the compiled tests of a package, run in its directory.
type testBinary struct{ path, dir string }

func compile(work, overlay string) ([]testBinary, error) {
	text, err := exec.Command("go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}", "./...").Output()
	if err != nil {
		return nil, err
	}
	var bins []testBinary
	for line := range strings.Lines(string(text)) {
		pkg, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		bin := testBinary{filepath.Join(work, fmt.Sprintf("%d.test", len(bins))), dir}
		out, err := exec.CommandContext(context.Background(), "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", bin.path, pkg).CombinedOutput()
		if err != nil {
			return nil, errors.New(string(out))
		}
		bins = append(bins, bin)
	}
	return bins, nil
}
