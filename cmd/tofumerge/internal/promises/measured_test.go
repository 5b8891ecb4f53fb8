//go:build linux

package promises_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// A measuredRun is what a program took as a process of its own.
type measuredRun struct {
	took   time.Duration // of the processor, from the program's first line
	whole  time.Duration // with what starting a process takes
	peak   float64       // bytes of memory
	status int
	said   string // the beginning
	err    error
}

// The limits of one run. A process that takes more time of the processor is ended.
const (
	longestRun = 20 * time.Second
	mostMemory = 6 << 30 // bytes of address space
)

// A runner runs a program that tells what it used, with a file as its standard input if it is there.
type runner func(program, in string, env []string, args ...string) measuredRun

// on runs a line of commands on a directory, with words such as DIR in it.
func (run runner) on(dir, args string, env ...string) measuredRun {
	beside := filepath.Dir(dir)
	fresh := filepath.Join(beside, "new")
	defer os.RemoveAll(fresh)
	args = strings.NewReplacer("DIR", dir, "EDITED", beside+"/edited", "OUTPUT", beside+"/output", "NEW", fresh).Replace(args)
	return run("tofumerge-measured", beside+"/session", env, strings.Fields(args)...)
}

// measured is the runner that starts a process.
func measured(program, in string, env []string, args ...string) (r measuredRun) {
	told, tell, err := os.Pipe()
	if err != nil {
		return measuredRun{err: err}
	}
	defer told.Close()
	var out, errs beginning
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.ExtraFiles, cmd.Stdout, cmd.Stderr = []*os.File{tell}, &out, &errs
	if f, err := os.Open(in); err == nil {
		defer f.Close()
		cmd.Stdin = f
	}
	err = cmd.Run()
	tell.Close()
	if s := cmd.ProcessState; s != nil {
		r.whole, r.status = s.UserTime()+s.SystemTime(), s.ExitCode()
	}
	r.said = errs.String() + out.String()
	if _, scanErr := fmt.Fscan(told, &r.took, &r.peak); scanErr != nil {
		r.err = fmt.Errorf("ended after %v of the processor's time: %v: %s", r.whole, err, head(r.said))
	}
	return r
}

// A beginning keeps the beginning of what is written to it.
type beginning struct{ strings.Builder }

func (b *beginning) Write(p []byte) (int, error) {
	b.Builder.Write(p[:min(len(p), max(0, 64<<10-b.Len()))])
	return len(p), nil
}

// head is the first line of a text.
func head(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line[:min(len(line), 200)]
}

func init() {
	binaries["parse-measured"] = parseMeasured
	binaries["tofumerge-measured"] = func() {
		started := used()
		limit(syscall.RLIMIT_AS, mostMemory)
		limit(syscall.RLIMIT_CPU, uint64(longestRun.Seconds()))
		if os.Args[1] == os.Getenv(planted) {
			compareLines(os.Args[2])
		}
		status := cli.Run(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Seams: workspace.Seams{Heap: process.TuneHeap()}})
		tellUse(started)
		os.Exit(status)
	}
}

func limit(resource int, most uint64) {
	if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// planted is the variable that names a command to which quadratic work is added.
const planted = "GROWTH_PLANTED"

// compareLines compares each 16 bytes of the files in a directory with each other 16.
func compareLines(dir string) {
	paths, _ := filepath.Glob(filepath.Join(dir, "*"))
	lines := 0
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			lines += int(info.Size()) / 16
		}
	}
	for range lines * lines {
		compared++
	}
}

var compared int

// used is how long this process has been on the processor.
func used() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// tellUse writes the time since the start, and the peak of the process's memory, to the file that
// its parent opened for it. The system's figure for an ended child includes the parent's memory.
func tellUse(started time.Duration) {
	text, _ := os.ReadFile("/proc/self/status")
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	var kilobytes int
	if _, err := fmt.Sscan(after, &kilobytes); err == nil {
		fmt.Fprintln(os.NewFile(3, "use"), int64(used()-started), kilobytes*1024)
	}
}
