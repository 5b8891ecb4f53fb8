package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

// A suite is the compiled tests of a package, run in its directory.
type suite struct {
	path, dir string
	batches   []*batch
}

// A batch is run at once: some quick tests, some quick cases of a slow test, or one slow test or
// case.
type batch struct {
	tests  string // a pattern for -test.run
	takes  time.Duration
	passes []byte // 1 for each switch that it passes
}

// A batch takes about this long, so that the start of the process is negligible.
const batchTime = 2 * time.Second

// Tests are bounded, since a defect may make a loop endless.
const (
	allTests  = 30 * time.Minute // without a defect
	oneBatch  = 5 * time.Minute
	leastCPU  = 5 * time.Second // by one process, which takes less on a busy machine than the clock shows
	leastTime = time.Minute     // by the clock, for tests that a defect makes wait for ever
)

// prepare compiles the tests of a package with all chosen defects in it and runs them without a
// defect: all at once, to learn how long each takes, and then by batches, to see which switches
// each passes.
func (r *runner) prepare(pkg string) (*suite, error) {
	s := &suite{path: filepath.Join(r.work, strings.ReplaceAll(pkg, "/", "_")+".test"), dir: r.dirs[pkg]}
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", r.overlay, "-o", s.path, pkg).CombinedOutput()
	if err != nil {
		return nil, errors.New(string(out))
	}
	home := <-r.homes
	out, err = s.run(home, ".", -1, allTests, 0, "-test.v")
	r.homes <- home
	s.batches = batchesOf(string(out))
	if len(s.batches) == 0 {
		return nil, fmt.Errorf("no test of %s passes: %w\n%s", pkg, err, out)
	}
	for _, m := range failed.FindAllStringSubmatch(string(out), -1) {
		log.Printf("%s: left out, since it fails without a defect: %s", pkg, m[1])
	}
	r.each(len(s.batches), func(home string, i int) {
		b, passed := s.batches[i], filepath.Join(home, "passed")
		_ = os.WriteFile(passed, make([]byte, r.switches), 0o644)
		start := time.Now()
		if _, err := s.run(home, b.tests, -1, oneBatch, 0); err != nil {
			log.Printf("%s: left out, since it fails alone: %s", pkg, b.tests)
			return
		}
		b.takes = time.Since(start)
		b.passes, _ = os.ReadFile(passed)
	})
	slices.SortFunc(s.batches, func(a, b *batch) int { return int(a.takes - b.takes) })
	return s, nil
}

// run runs tests with a defect in force, or with -1 for none; it fails where one of them does. A
// process that takes more of the processor than given is ended, if cpu isn't 0.
func (s *suite) run(home, tests string, id int, limit, cpu time.Duration, more ...string) ([]byte, error) {
	if err := os.WriteFile(filepath.Join(home, "active"), []byte(strconv.Itoa(id)), 0o644); err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	cmd := exec.CommandContext(ctx, s.path, append(more, "-test.short", "-test.timeout=0", "-test.run", tests)...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "MUTATE_HOME="+home, "MUTATE_CPU="+strconv.Itoa(int(cpu.Seconds())),
		"TMPDIR="+home, "RAPID_SEED=1", "RAPID_NOFAILFILE=1", "GOMAXPROCS=1", "GOMEMLIMIT=2GiB")
	cmd.WaitDelay = time.Second
	return cmd.Output()
}

// notices reports whether tests notice a defect: a batch fails with it and passes without. Only
// those that pass its switch are run, the quickest first.
func (s *suite) notices(home string, m *mutant) bool {
	for _, b := range s.batches {
		if m.id >= len(b.passes) || b.passes[m.id] == 0 {
			continue
		}
		m.passed = true
		_, err := s.run(home, b.tests, m.id, min(oneBatch, max(leastTime, 20*b.takes)), max(leastCPU, 10*b.takes), "-test.failfast")
		if err == nil {
			continue
		}
		if _, err := s.run(home, b.tests, -1, oneBatch, 0); err == nil {
			return true
		}
	}
	return false
}

// passed is a line of -v about a test or one of its cases that passed.
var passed = regexp.MustCompile(`(?m)^(?:    )?--- PASS: ([^/\s]+)(?:/([^/\s]+))? \(([0-9.]+s)\)$`)

// failed is a line of -v about a test that did not.
var failed = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// A timing is how long a test or a case takes.
type timing struct {
	name  string
	takes time.Duration
}

// batchesOf parses the durations of tests, and groups them into batches.
func batchesOf(out string) (batches []*batch) {
	var tests, quick []timing
	cases := map[string][]timing{}
	took := map[string]time.Duration{} // cases that run side by side take longer than their test
	for _, m := range passed.FindAllStringSubmatch(out, -1) {
		takes, _ := time.ParseDuration(m[3])
		if m[2] == "" {
			tests = append(tests, timing{m[1], takes})
		} else {
			cases[m[1]] = append(cases[m[1]], timing{m[2], takes})
			took[m[1]] += takes
		}
	}
	for _, t := range tests {
		if max(t.takes, took[t.name]) > batchTime && len(cases[t.name]) > 1 {
			batches = append(batches, grouped("^"+t.name+"$/", cases[t.name])...)
		} else {
			quick = append(quick, t)
		}
	}
	return append(batches, grouped("", quick)...)
}

// grouped puts tests, or the cases of a test, into batches that take about as long as a batch should.
func grouped(of string, list []timing) (batches []*batch) {
	for len(list) > 0 {
		var names []string
		for left := batchTime; len(list) > 0 && (names == nil || list[0].takes <= left); list = list[1:] {
			names = append(names, regexp.QuoteMeta(list[0].name))
			left -= list[0].takes + batchTime/200
		}
		batches = append(batches, &batch{tests: of + "^(" + strings.Join(names, "|") + ")$"})
	}
	return batches
}

// findTests finds the packages that have tests, and those on which each depends.
func (r *runner) findTests() error {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps
	pkgs, err := packages.Load(&packages.Config{Mode: mode, Tests: true}, "./...")
	r.dirs, r.users = map[string]string{}, map[string]map[string]bool{}
	for _, p := range pkgs {
		tested, isTest := strings.CutSuffix(p.ID, ".test")
		if !isTest {
			continue
		}
		r.dirs[tested] = p.Dir
		packages.Visit([]*packages.Package{p}, nil, func(dep *packages.Package) {
			if r.users[dep.PkgPath] == nil {
				r.users[dep.PkgPath] = map[string]bool{}
			}
			r.users[dep.PkgPath][tested] = true
		})
	}
	return err
}
