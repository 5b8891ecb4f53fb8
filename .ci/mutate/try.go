package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A unit is a test that is run by itself: a test function, or one of the cases
// that it runs.
type unit struct {
	bin    testBinary
	name   string
	passes []byte // 1 for each switch that it passes
	takes  time.Duration
}

// A try is bounded, since a defect may make a loop endless.
const (
	perTry = 90 * time.Second
	perAll = 30 * time.Minute // all tests, without a defect
)

// A worker has a directory that tells the tests which defect is in force.
type worker struct{ home string }

func newWorker(work string, i, switches int) (*worker, error) {
	w := &worker{filepath.Join(work, "w"+strconv.Itoa(i))}
	if err := os.MkdirAll(w.home, 0o755); err != nil {
		return nil, err
	}
	return w, w.clear(switches)
}

func (w *worker) clear(switches int) error {
	if err := w.activate(-1); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.home, "passed"), make([]byte, switches), 0o644)
}

func (w *worker) activate(id int) error {
	return os.WriteFile(filepath.Join(w.home, "active"), []byte(strconv.Itoa(id)), 0o644)
}

// run runs tests of a binary by name; it fails where one of them does.
func (w *worker) run(bin testBinary, names []string, verbose bool) ([]byte, error) {
	limit := perTry
	if names == nil {
		limit = perAll
	}
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	args := []string{"-test.short", "-test.failfast", "-test.run", pattern(names)}
	if verbose {
		args = append(args, "-test.v")
	}
	cmd := exec.CommandContext(ctx, bin.path, args...)
	cmd.Dir = bin.dir
	cmd.Env = append(os.Environ(), "MUTATE_HOME="+w.home, "TMPDIR="+w.home, "GOMAXPROCS=1", "GOMEMLIMIT=2GiB")
	cmd.WaitDelay = time.Second
	return cmd.Output()
}

// pattern selects tests and their cases, at most two levels deep; nil stands for all.
func pattern(names []string) string {
	if names == nil {
		return "." // all
	}
	var first, second []string
	for _, name := range names {
		test, rest, _ := strings.Cut(name, "/")
		first = append(first, regexp.QuoteMeta(test))
		if rest != "" {
			second = append(second, regexp.QuoteMeta(rest))
		}
	}
	slices.Sort(first)
	text := "^(" + strings.Join(slices.Compact(first), "|") + ")$"
	if len(second) > 0 {
		text += "/^(" + strings.Join(second, "|") + ")$"
	}
	return text
}

var ran = regexp.MustCompile(`(?m)^=== RUN +([^/\s]+)(/[^/\s]+)?$`)

// list finds the units, and runs each by itself to see which switches it passes.
func list(work string, bins []testBinary, switches, jobs int) ([]*unit, error) {
	w, err := newWorker(work, 0, switches)
	if err != nil {
		return nil, err
	}
	var units []*unit
	for _, bin := range bins {
		out, err := w.run(bin, nil, true)
		if err != nil {
			return nil, fmt.Errorf("the tests of %s fail without a defect: %w\n%s", bin.dir, err, out)
		}
		units = append(units, unitsOf(bin, string(out))...)
	}
	var failed sync.Map
	err = each(units, work, switches, jobs, func(w *worker, u *unit) {
		start := time.Now()
		if _, err := w.run(u.bin, []string{u.name}, false); err != nil {
			failed.Store(u.name, err)
		}
		u.takes = time.Since(start)
		u.passes, _ = os.ReadFile(filepath.Join(w.home, "passed"))
		_ = w.clear(switches)
	})
	units = slices.DeleteFunc(units, func(u *unit) bool { _, bad := failed.Load(u.name); return bad })
	slices.SortFunc(units, func(a, b *unit) int { return int(a.takes - b.takes) })
	return units, err
}

// unitsOf reads what a run with -v says: the tests without cases, and the cases
// of the others.
func unitsOf(bin testBinary, out string) []*unit {
	var units []*unit
	hasCases := map[string]bool{}
	for _, m := range ran.FindAllStringSubmatch(out, -1) {
		hasCases[m[1]] = hasCases[m[1]] || m[2] != ""
	}
	for _, m := range ran.FindAllStringSubmatch(out, -1) {
		if (m[2] != "") == hasCases[m[1]] {
			units = append(units, &unit{bin: bin, name: m[1] + m[2]})
		}
	}
	return units
}

// each has workers do something with every item.
func each[T any](items []T, work string, switches, jobs int, do func(*worker, T)) error {
	next := make(chan T)
	var wg sync.WaitGroup
	for i := range jobs {
		w, err := newWorker(work, i, switches)
		if err != nil {
			return err
		}
		wg.Go(func() {
			for it := range next {
				do(w, it)
			}
		})
	}
	for _, it := range items {
		next <- it
	}
	close(next)
	wg.Wait()
	return nil
}

// A result is what became of a defect.
type result struct {
	*mutant
	passed bool   // some test passes its switch
	by     string // the tests of which one noticed it, "" for none
}

// try plants each defect in turn.
func try(work string, mutants []*mutant, units []*unit, switches, jobs int, progress io.Writer) ([]result, error) {
	results := make([]result, len(mutants))
	indices := make([]int, len(mutants))
	for i := range indices {
		indices[i] = i
	}
	var done atomic.Int64
	err := each(indices, work, switches, jobs, func(w *worker, i int) {
		results[i] = w.try(mutants[i], units)
		if n := done.Add(1); n%100 == 0 {
			fmt.Fprintf(progress, "tried %d of %d\n", n, len(mutants))
		}
	})
	return results, err
}

// try runs the tests that pass a defect's switch, in ever larger batches.
func (w *worker) try(m *mutant, units []*unit) result {
	covering := slices.DeleteFunc(slices.Clone(units), func(u *unit) bool { return m.id >= len(u.passes) || u.passes[m.id] == 0 })
	r := result{mutant: m, passed: len(covering) > 0}
	_ = w.activate(m.id)
	defer w.activate(-1)
	for size := 6; len(covering) > 0 && r.by == ""; size *= 4 {
		n := min(size, len(covering))
		r.by = w.batch(covering[:n])
		covering = covering[n:]
	}
	return r
}

// batch runs units, and names those among which one failed.
func (w *worker) batch(units []*unit) string {
	byBin := map[testBinary][]string{}
	for _, u := range units {
		byBin[u.bin] = append(byBin[u.bin], u.name)
	}
	for bin, names := range byBin {
		if _, err := w.run(bin, names, false); err != nil {
			return names[0]
		}
	}
	return ""
}

// fromHere is a file's name as seen from the working directory.
func fromHere(name string) string {
	here, err := os.Getwd()
	if err != nil {
		return name
	}
	if rel, err := filepath.Rel(here, name); err == nil {
		return rel
	}
	return name
}

// report prints the survivors, and for each package how many defects were noticed.
func report(out io.Writer, results []result) error {
	type count struct{ noticed, unnoticed, unpassed int }
	byPackage := map[string]*count{}
	var names []string
	for _, r := range results {
		c := byPackage[r.pkg]
		if c == nil {
			c = &count{}
			byPackage[r.pkg] = c
			names = append(names, r.pkg)
		}
		switch {
		case r.by != "":
			c.noticed++
			continue
		case r.passed:
			c.unnoticed++
		default:
			c.unpassed++
		}
		note := ""
		if !r.passed {
			note = " (no test comes here)"
		}
		fmt.Fprintf(out, "%s:%d: %s%s\n", fromHere(r.at.Filename), r.at.Line, r.what, note)
	}
	for _, name := range names {
		c := byPackage[name]
		all := c.noticed + c.unnoticed + c.unpassed
		if _, err := fmt.Fprintf(out, "%s: %d of %d noticed (%.1f %%), %d not noticed, %d never reached\n",
			strings.TrimPrefix(name, modulePath+"/"), c.noticed, all, 100*float64(c.noticed)/float64(all), c.unnoticed, c.unpassed); err != nil {
			return err
		}
	}
	return nil
}
