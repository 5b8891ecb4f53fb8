//go:build linux

package promises_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

// processCommands are the commands of BenchmarkProcess, with DIR and NEW for directories.
var processCommands = []struct{ name, args string }{
	{"render", "DIR"},
	{"json", "--json DIR"},
	{"annotate", "-a DIR"},
	{"check", "check DIR"},
	{"list", "list DIR"},
	{"diff", "diff DIR"},
	{"changes", "changes DIR"},
	{"against-engine", "check --against-engine terraform@1.9 DIR"},
	{"flatten", "flatten DIR -o NEW --only-config --engine opentofu"},
}

// BenchmarkProcess runs each command as a process. It reports CPU time relative to a process
// that parses each file (x/parse), and peak memory relative to the size of the files (x/size),
// as medians of nine alternating runs:
//
//	GOMAXPROCS=1 go test ./cmd/tofumerge/internal/promises -run '^$' -bench Process -benchtime 1x
func BenchmarkProcess(b *testing.B) {
	for _, s := range scales {
		b.Run(s.name, func(b *testing.B) {
			dir := clitest.ScaleModule(b, s.files, s.blocks, s.overrides, s.overridden)
			size := bytesIn(b, dir)
			for _, c := range processCommands {
				b.Run(c.name, func(b *testing.B) {
					for range b.N {
						unit, took, peak := byTurns(b, dir, c.args)
						b.ReportMetric(0, "ns/op")
						b.ReportMetric(float64(took)/float64(unit), "x/parse")
						b.ReportMetric(peak/size, "x/size")
						b.ReportMetric(float64(took.Milliseconds()), "ms")
					}
				})
			}
		})
	}
}

// byTurns returns the medians of parsing the files of a module and of a command on the module,
// run alternately.
func byTurns(b *testing.B, dir, args string) (unit, took time.Duration, peak float64) {
	b.Helper()
	var units, times []time.Duration
	var peaks []float64
	for range 9 {
		parsing, run := measured("parse-measured", "", nil, dir), runner(measured).on(dir, args)
		if err := errors.Join(parsing.err, run.err); err != nil {
			b.Fatal(err)
		}
		units, times, peaks = append(units, parsing.whole), append(times, run.whole), append(peaks, run.peak)
	}
	slices.Sort(units)
	slices.Sort(times)
	slices.Sort(peaks)
	return units[4], times[4], peaks[4]
}

func bytesIn(b *testing.B, dir string) (bytes float64) {
	b.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range list {
		info, err := e.Info()
		if err != nil {
			b.Fatal(err)
		}
		bytes += float64(info.Size())
	}
	return bytes
}

// parseMeasured is the yardstick: a program that reads and parses the native files of a
// directory one after the other.
func parseMeasured() {
	started := used()
	paths, _ := filepath.Glob(filepath.Join(os.Args[1], "*.tf"))
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		hclsyntax.ParseConfig(src, path, hcl.InitialPos)
	}
	tellUse(started)
}

// BenchmarkStart compares a run on a module of two files with a program that does nothing
// (x/bare).
func BenchmarkStart(b *testing.B) {
	bare := asInstalled(b, clitest.Write(b, map[string]string{"go.mod": "module bare\n\ngo 1.25.0\n", "main.go": "package main\n\nfunc main() {}\n"}))
	program := asInstalled(b, "../..")
	module := clitest.ScaleModule(b, 1, 1, 1, 1)
	for range b.N {
		var units, times []time.Duration
		for range 99 {
			units = append(units, startOf(b, bare))
			times = append(times, startOf(b, program, module))
		}
		slices.Sort(units)
		slices.Sort(times)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(float64(times[49])/float64(units[49]), "x/bare")
		b.ReportMetric(float64(times[49].Microseconds())/1000, "ms")
	}
}

// BenchmarkThreads compares the time that passes during a render of the large module with that
// of one thread (x/one), as medians of 31 alternating runs.
func BenchmarkThreads(b *testing.B) {
	large := scales[1]
	program, module := asInstalled(b, "../.."), clitest.ScaleModule(b, large.files, large.blocks, large.overrides, large.overridden)
	passes := func(env ...string) time.Duration {
		cmd := exec.Command(program, module)
		cmd.Env = append(os.Environ(), env...)
		begun := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		return time.Since(begun)
	}
	for range b.N {
		var one, all []time.Duration
		for range 31 {
			one, all = append(one, passes("GOMAXPROCS=1")), append(all, passes())
		}
		slices.Sort(one)
		slices.Sort(all)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(float64(all[15])/float64(one[15]), "x/one")
		b.ReportMetric(float64(all[15].Microseconds())/1000, "ms")
	}
}

func startOf(b *testing.B, program string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(program, args...)
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
