//go:build linux

package promises_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// BenchmarkHostile runs each command on inputs that are made to be expensive, at three sizes, n, 2n
// and 4n, which are 1/4, 1/2 and 1 MB:
//
//	go test ./cmd/tofumerge/internal/promises -run '^$' -bench Hostile -benchtime 1x
//	go test ./cmd/tofumerge/internal/promises -run '^$' -bench 'Hostile/JSON_array/check' -benchtime 1x
//
// Every run is a separate process, which is ended when it takes too long or too much memory; that
// is a failure. Reported are the time of the processors and the peak of memory at each size (ms-n,
// MB-n, …), those at 4n over those at n (time-x, mem-x), and by how many bytes the peak grows with
// each byte of input (mem/input). Linear work has a time-x of 4 or less, quadratic work one of up
// to 16. Small times mean little.
func BenchmarkHostile(b *testing.B) {
	for _, h := range slices.Concat(hostileInputs(), hostileTexts()) {
		b.Run(h.name, func(b *testing.B) {
			for _, c := range hostileCommands {
				b.Run(c.name, func(b *testing.B) {
					for range b.N {
						hostileRuns(b, h, c.args)
					}
				})
			}
		})
	}
}

// The limits of one run.
const (
	hostileTime   = 60 * time.Second
	hostileMemory = 6 << 30 // bytes of address space
)

// hostileCommands are what runs on each input; DIR and NEW are exchanged for
// directories.
var hostileCommands = []struct{ name, args string }{
	{"render", "DIR"},
	{"json", "--json DIR"},
	{"annotate", "-a DIR"},
	{"filter", "--filter **.n.**.n.**.n.**.n.zz --filter a.*a*a*a*a*a*a*a*b DIR"},
	{"list", "list DIR"},
	{"check", "check DIR"},
	{"check-json", "check -f json DIR"},
	{"check-sarif", "check -f sarif DIR"},
	{"fix", "check --fix DIR"},
	{"deny", "check --deny **.n.**.n.**.n.**.n.zz --deny *.*a*a*a*a*a*a*a*a*b DIR"},
	{"explain", "-C DIR explain --all"},
	{"diff", "diff DIR"},
	{"changes", "changes DIR"},
	{"changes-json", "changes --json DIR"},
	{"report", "report DIR"},
	{"fix-comments", "check --fix --enable unmarked-override --select unmarked-override DIR"},
	{"flatten", "flatten DIR -o NEW --only-config --engine opentofu"},
}

func hostileRuns(b *testing.B, h hostileInput, args string) {
	b.Helper()
	var took [3]time.Duration
	var peak, size [3]float64
	unit := h.unit()
	for i := range took {
		n := unit << i
		dir := filepath.Join(b.TempDir(), "m")
		size[i] = h.write(b, dir, n)
		var err error
		if took[i], peak[i], err = hostileRun(strings.NewReplacer("DIR", dir, "NEW", dir+"-new").Replace(args)); err != nil {
			b.Errorf("n = %d, %.0f bytes: %v", n, size[i], err)
			return
		}
	}
	b.ReportMetric(0, "ns/op")
	for i, n := range []string{"n", "2n", "4n"} {
		b.ReportMetric(float64(took[i].Milliseconds()), "ms-"+n)
		b.ReportMetric(peak[i]/1e6, "MB-"+n)
	}
	b.ReportMetric(float64(took[2])/float64(took[0]), "time-x")
	b.ReportMetric(peak[2]/peak[0], "mem-x")
	b.ReportMetric((peak[2]-peak[0])/(size[2]-size[0]), "mem/input")
}

// hostileSize is how many bytes the smallest of the inputs has, about, and
// hostileFiles how many files it has at most.
const (
	hostileSize  = 1 << 18
	hostileFiles = 500
)

// unit is the smallest n.
func (h hostileInput) unit() int {
	size := func(n int) (size, files int) {
		for _, text := range h.files(n) {
			size += len(text)
			files++
		}
		return size, files
	}
	small, few := size(100)
	large, many := size(200)
	n := hostileSize * 100 / (large - small)
	if many > few {
		n = min(n, hostileFiles)
	}
	if h.superlinear {
		n /= 16
	}
	return n
}

// write writes the files of an input and returns how many bytes they are.
func (h hostileInput) write(b *testing.B, dir string, n int) (size float64) {
	b.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		b.Fatal(err)
	}
	for name, text := range h.files(n) {
		size += float64(len(text))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	return size
}

// hostileRun runs the program and returns the processors' time for it, which other programs change
// little, and its peak of memory in bytes. It fails if the program was ended or crashed.
func hostileRun(args string) (took time.Duration, peak float64, err error) {
	return measuredRun("tofumerge-measured", strings.Fields(args))
}

// measuredRun does the same with a program that reports its peak.
func measuredRun(program string, args []string) (took time.Duration, peak float64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), hostileTime)
	defer cancel()
	told, tell, err := os.Pipe()
	if err != nil {
		return 0, 0, err
	}
	defer told.Close()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.ExtraFiles = []*os.File{tell}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err = cmd.Run()
	tell.Close()
	if cmd.ProcessState != nil {
		took = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	var kilobytes int
	_, scanErr := fmt.Fscan(told, &kilobytes)
	switch {
	case ctx.Err() != nil:
		return took, 0, fmt.Errorf("took longer than %s", hostileTime)
	case scanErr != nil:
		return took, 0, errors.Join(err, errors.New(head(stderr.String())))
	}
	return took, float64(kilobytes) * 1024, nil
}

// head is the first line of a text.
func head(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line[:min(len(line), 200)]
}

func init() { binaries["tofumerge-measured"], binaries["parse-measured"] = measured, parseMeasured }

// measured is the program, with a limit to its memory. In the end it writes the peak of its memory,
// in kilobytes, to the file that its parent opened for it. The system's figure for an ended child
// isn't used, because it includes the parent's own memory.
func measured() {
	limit := syscall.Rlimit{Cur: hostileMemory, Max: hostileMemory}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	status := cli.Run(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Seams: workspace.Seams{Heap: process.TuneHeap()}})
	tellPeak()
	os.Exit(status)
}

// tellPeak writes the peak of the process's memory.
func tellPeak() {
	text, _ := os.ReadFile("/proc/self/status")
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	if fields := strings.Fields(after); len(fields) > 0 {
		if _, err := strconv.Atoi(fields[0]); err == nil {
			fmt.Fprintln(os.NewFile(3, "peak"), fields[0])
		}
	}
}
