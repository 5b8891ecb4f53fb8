package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"
)

// A runner holds the build with the defects in it, and facts about the packages.
type runner struct {
	work     string
	overlay  string
	dirs     map[string]string   // of the packages that have tests
	users    map[string][]string // packages whose tests depend on one
	switches int
	jobs     int
	ownOnly  bool
	deadline time.Time // zero for none
	note     func(format string, args ...any)
}

// A worker has a directory through which the tests learn which defect is active.
type worker struct {
	home     string
	switches int
}

func (r *runner) worker(i int) (*worker, error) {
	w := &worker{filepath.Join(r.work, "w"+strconv.Itoa(i)), r.switches}
	if err := os.MkdirAll(w.home, 0o755); err != nil {
		return nil, err
	}
	return w, w.clear()
}

func (w *worker) clear() error {
	if err := w.activate(-1); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.home, "passed"), make([]byte, w.switches), 0o644)
}

func (w *worker) activate(id int) error {
	return os.WriteFile(filepath.Join(w.home, "active"), []byte(strconv.Itoa(id)), 0o644)
}

// run runs tests by their names, nil for all; it fails where one of them does. A process that
// takes more of the processor than given is ended, if cpu isn't 0.
func (w *worker) run(s *suite, names []string, limit, cpu time.Duration) ([]byte, error) {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	args := []string{"-test.short", "-test.timeout=0", "-test.run", pattern(names)}
	if names == nil {
		args = append(args, "-test.v")
	} else {
		args = append(args, "-test.failfast")
	}
	cmd := exec.CommandContext(ctx, s.path, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "MUTATE_HOME="+w.home, "MUTATE_CPU="+strconv.Itoa(int(cpu.Seconds())),
		"TMPDIR="+w.home, "RAPID_SEED=1", "GOMAXPROCS=1", "GOMEMLIMIT=2GiB")
	cmd.WaitDelay = time.Second
	return cmd.Output()
}

// each has workers do something with each of n things.
func (r *runner) each(n int, do func(*worker, int)) error {
	next := make(chan int)
	var wg sync.WaitGroup
	for i := range min(r.jobs, n) {
		w, err := r.worker(i)
		if err != nil {
			return err
		}
		wg.Go(func() {
			for it := range next {
				do(w, it)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	return nil
}

// A judge is which tests noticed a defect.
type judge string

const (
	nobody  judge = ""
	own     judge = "own"     // of the package that it is in
	scripts judge = "scripts" // of the command line
	others  judge = "others"  // of another package
)

// scriptsPackage runs the scripts of testdata/script.
const scriptsPackage = modulePath + "/cmd/tofumerge"

// A result is what became of a defect.
type result struct {
	*mutant
	passed bool // some test passes its switch
	by     judge
	isOpen bool // tests that might notice it were not run, for want of time
}

func (r *runner) isLate() bool { return !r.deadline.IsZero() && time.Now().After(r.deadline) }

// try runs the tests of each defect's own package first, then the scripts, then the tests of all
// others that depend on the package.
func (r *runner) try(mutants []*mutant) ([]*result, error) {
	results := make([]*result, len(mutants))
	perPackage := map[string][]*result{}
	for i, m := range mutants {
		results[i] = &result{mutant: m}
		perPackage[m.pkg] = append(perPackage[m.pkg], results[i])
	}
	for _, pkg := range sortedKeys(perPackage) {
		if err := r.ask(pkg, own, perPackage[pkg]); err != nil {
			return nil, err
		}
	}
	if r.ownOnly {
		return results, nil
	}
	if err := r.ask(scriptsPackage, scripts, results); err != nil {
		return nil, err
	}
	// Those nearest to a package come first, as they have the fewest users themselves.
	rest := sortedKeys(r.dirs)
	slices.SortStableFunc(rest, func(a, b string) int { return len(r.users[b]) - len(r.users[a]) })
	for _, pkg := range rest {
		reached := slices.DeleteFunc(slices.Clone(results), func(res *result) bool {
			return res.pkg == pkg || !slices.Contains(r.users[res.pkg], pkg)
		})
		if pkg != scriptsPackage {
			if err := r.ask(pkg, others, reached); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// ask runs the tests of a package on the defects that nobody has noticed.
func (r *runner) ask(pkg string, as judge, results []*result) error {
	results = slices.DeleteFunc(slices.Clone(results), func(res *result) bool { return res.by != nobody })
	if len(results) == 0 || r.dirs[pkg] == "" {
		return nil
	}
	if r.isLate() {
		for _, res := range results {
			res.isOpen = true
		}
		return nil
	}
	start := time.Now()
	s, err := r.prepare(pkg)
	if err != nil {
		return err
	}
	defer os.Remove(s.path)
	prepared := time.Since(start)
	err = r.each(len(results), func(w *worker, i int) {
		res := results[i]
		if r.isLate() {
			res.isOpen = true
			return
		}
		reached, noticed := w.judge(s, res.id)
		res.passed = res.passed || reached
		if noticed {
			res.by = as
		}
	})
	noticed := 0
	for _, res := range results {
		if res.by != nobody {
			noticed++
		} else if as == own {
			r.note("its own tests don't notice: %s", res)
		}
	}
	r.note("%s: %s notice %d of %d (%d s, %d of them to prepare)", as, short(pkg), noticed, len(results),
		int(time.Since(start).Seconds()), int(prepared.Seconds()))
	return err
}

// judge runs the batches that pass a defect's switch, the quickest first, until one notices it:
// it fails with the defect and passes without.
func (w *worker) judge(s *suite, id int) (reached, noticed bool) {
	for _, b := range s.batches {
		if id >= len(b.passes) || b.passes[id] == 0 {
			continue
		}
		reached = true
		_ = w.activate(id)
		_, err := w.run(s, b.tests, min(oneBatch, max(leastTime, 20*b.takes)), max(leastCPU, 10*b.takes))
		_ = w.activate(-1)
		if err == nil {
			continue
		}
		if _, err := w.run(s, b.tests, oneBatch, 0); err == nil {
			return true, true
		}
	}
	return reached, false
}

// String is where the defect is, and what it does.
func (res *result) String() string {
	text := fmt.Sprintf("%s:%d: %s", fromHere(res.at.Filename), res.at.Line, res.what)
	if !res.passed {
		text += " (no test comes here)"
	}
	return text
}

// report prints the survivors, then a row for each package and one for all. It returns the share
// of defects that were noticed, in percent, and how many were not judged, which are left out.
func report(print func(format string, args ...any), results []*result) (share float64, unjudged int) {
	counts := map[string]map[judge]int{}
	all := map[judge]int{}
	for _, res := range results {
		if res.isOpen && res.by == nobody {
			unjudged++
			continue
		}
		if counts[res.pkg] == nil {
			counts[res.pkg] = map[judge]int{}
		}
		counts[res.pkg][res.by]++
		all[res.by]++
		if res.by == nobody {
			print("%s\n", res)
		}
	}
	print("%8s %8s %8s %8s %8s  %s\n", "defects", own, scripts, others, "nobody", "package")
	row := func(name string, c map[judge]int) float64 {
		n := c[own] + c[scripts] + c[others] + c[nobody]
		print("%8d %8d %8d %8d %8d  %s\n", n, c[own], c[scripts], c[others], c[nobody], name)
		return 100 * float64(n-c[nobody]) / float64(max(n, 1))
	}
	for _, pkg := range sortedKeys(counts) {
		row(short(pkg), counts[pkg])
	}
	share = row("all", all)
	if unjudged > 0 {
		print("%d were not judged\n", unjudged)
		return share, unjudged
	}
	print("%.1f %% noticed\n", share)
	return share, 0
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
