package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A suite is the compiled tests of a package, run in its directory.
type suite struct {
	pkg, path, dir string
	batches        []*batch
}

// A batch is run at once: some quick tests, some quick cases of a slow test, or one slow test or
// case.
type batch struct {
	tests  []string // names of tests, or of cases of one test
	takes  time.Duration
	passes []byte // 1 for each switch that it passes
}

// A batch takes about this long, so that the start of the process is negligible.
const batchTime = 2 * time.Second

// Tests are bounded, since a defect may make a loop endless.
const (
	allTests  = 30 * time.Minute // without a defect
	oneBatch  = 5 * time.Minute
	leastCPU  = 20 * time.Second // by one process, which takes less on a busy machine than the clock shows
	leastTime = time.Minute      // by the clock, for tests that a defect makes wait for ever
)

// compile builds the tests of a package with all chosen defects in it.
func (r *runner) compile(pkg string) (*suite, error) {
	s := &suite{pkg: pkg, path: filepath.Join(r.work, strings.ReplaceAll(pkg, "/", "_")+".test"), dir: r.dirs[pkg]}
	out, err := exec.CommandContext(context.Background(), "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", r.overlay, "-o", s.path, pkg).CombinedOutput()
	if err != nil {
		return nil, errors.New(string(out))
	}
	return s, nil
}

// prepare compiles the tests of a package and runs them without a defect: all at once, to learn
// how long each takes, and then by batches, to see which switches each passes.
func (r *runner) prepare(pkg string) (*suite, error) {
	s, err := r.compile(pkg)
	if err != nil {
		return nil, err
	}
	w, err := r.worker(0)
	if err != nil {
		return nil, err
	}
	out, err := w.run(s, nil, allTests, 0)
	s.batches = batchesOf(string(out))
	if len(s.batches) == 0 {
		return nil, fmt.Errorf("no test of %s passes: %w\n%s", pkg, err, out)
	}
	for _, m := range failed.FindAllStringSubmatch(string(out), -1) {
		r.note("%s: left out, since it fails without a defect: %s", pkg, m[1])
	}
	broken := make([]bool, len(s.batches))
	err = r.each(len(s.batches), func(w *worker, i int) {
		b := s.batches[i]
		start := time.Now()
		_, err := w.run(s, b.tests, oneBatch, 0)
		b.takes, broken[i] = time.Since(start), err != nil
		b.passes, _ = os.ReadFile(filepath.Join(w.home, "passed"))
		_ = w.clear()
	})
	var kept []*batch
	for i, b := range s.batches {
		if broken[i] {
			r.note("%s: left out, since it fails alone: %s", pkg, pattern(b.tests))
			continue
		}
		kept = append(kept, b)
	}
	slices.SortFunc(kept, func(a, b *batch) int { return int(a.takes - b.takes) })
	s.batches = kept
	return s, err
}

// passed is a line of -v about a test or one of its cases that passed.
var passed = regexp.MustCompile(`(?m)^(?:    )?--- PASS: ([^/\s]+)(/[^/\s]+)? \(([0-9.]+)s\)$`)

// failed is a line of -v about a test that did not.
var failed = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// batchesOf parses the durations of tests, and groups them into batches.
func batchesOf(out string) []*batch {
	took := map[string]time.Duration{}
	cases := map[string][]string{}
	var tests, quick []string
	for _, m := range passed.FindAllStringSubmatch(out, -1) {
		seconds, _ := strconv.ParseFloat(m[3], 64)
		took[m[1]+m[2]] = time.Duration(seconds * float64(time.Second))
		if m[2] != "" {
			cases[m[1]] = append(cases[m[1]], m[1]+m[2])
		} else {
			tests = append(tests, m[1])
		}
	}
	var batches []*batch
	for _, test := range tests {
		var all time.Duration // cases that run side by side take longer than their test
		for _, name := range cases[test] {
			all += took[name]
		}
		if max(all, took[test]) > batchTime && len(cases[test]) > 1 {
			batches = append(batches, grouped(cases[test], took)...)
		} else {
			quick = append(quick, test)
		}
	}
	return append(batches, grouped(quick, took)...)
}

// grouped puts tests into batches that take about as long as a batch should.
func grouped(names []string, took map[string]time.Duration) []*batch {
	var batches []*batch
	left := time.Duration(math.MinInt64)
	for _, name := range names {
		if left < took[name] {
			batches = append(batches, &batch{})
			left = batchTime
		}
		b := batches[len(batches)-1]
		b.tests = append(b.tests, name)
		left -= took[name] + batchTime/200
	}
	return batches
}

// pattern selects tests, or cases of one test; nil stands for all.
func pattern(names []string) string {
	if names == nil {
		return "."
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
