package replace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// childVariable controls TestChild. Signals end a process, so another process gets them.
const childVariable = "TOFUMERGE_TEST_CHILD"

// A child is a process that gets a signal.
type child struct {
	what string
	at   int // step
	sig  syscall.Signal
}

// run runs it in a directory, and returns its output and the signal that ended it.
func (c child) run(t *testing.T, dir string, with ...string) (told string, by syscall.Signal) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	args := append(with, self, "-test.run=^TestChild$")
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %d", childVariable, c.what, c.at, c.sig))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	// The tests may have been started to ignore signals, as in the background; the process isn't.
	here := make(chan os.Signal, 1)
	signal.Notify(here, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(here)
	err = cmd.Run()
	if err == nil {
		return errs.String(), 0
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatal(err)
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		t.Errorf("%v: %v", c, err)
		return errs.String(), 0
	}
	return errs.String(), status.Signal()
}

// TestChild isn't a test, but the process that gets a signal.
func TestChild(t *testing.T) {
	var c child
	if n, _ := fmt.Sscanf(os.Getenv(childVariable), "%s %d %d", &c.what, &c.at, &c.sig); n < 3 {
		t.Skip("it is started by other tests")
	}
	opts := Options{
		Warn: func(text string) { fmt.Fprintln(os.Stderr, text) },
		Step: func(i int) error {
			if i == c.at {
				c.signal()
			}
			return nil
		},
	}
	var err error
	switch c.what {
	case "set":
		err = planned(t, ".", opts).Run()
	case "renamed":
		s := planned(t, ".", Options{Warn: opts.Warn})
		r := &renaming{after: func(call int, _, _ string) {
			if call == c.at { // during a step, which the process ends after
				_ = syscall.Kill(os.Getpid(), c.sig)
				for s.guard.steps.TryRLock() {
					s.guard.steps.RUnlock()
					time.Sleep(time.Millisecond)
				}
			}
		}}
		r.install(t)
		err = s.Run()
	case "dir":
		err = MakeDir("out", opts, func(b *Building) error {
			defer c.signal()
			return fillOut(b)
		})
	case "dir_made":
		sync = func(*os.File) error { c.signal(); return nil }
		err = MakeDir("out", opts, fillOut)
	case "output":
		sync = func(*os.File) error { c.signal(); return nil }
		var o *Output
		if o, err = FindOutput("x"); err == nil {
			err = o.Write([]byte("new"), opts)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// signal sends the signal to this process, and waits for its end, however slow the machine is,
// unless it ignores the signal.
func (c child) signal() {
	isIgnored := c.sig == syscall.SIGWINCH || signal.Ignored(c.sig)
	_ = syscall.Kill(os.Getpid(), c.sig)
	if !isIgnored {
		time.Sleep(time.Minute)
	}
	time.Sleep(200 * time.Millisecond)
}

// Before whichever step a signal comes, all is as it was, and the process ends by it.
func TestSignals(t *testing.T) {
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	for what, steps := range map[string][]int{"set": {2, 5, 7}, "renamed": {1, 3, 4}} {
		for _, at := range steps {
			c := child{what, at, signals[at%3]}
			dir := put(t, before)
			told, by := c.run(t, dir)
			want := fmt.Sprintf("stopped by a signal (%v): nothing was written; run the command again\n", c.sig)
			if told != want || by != c.sig {
				t.Errorf("%v: %v, %q", c, by, told)
			}
			if diff := cmp.Diff(before, found(t, dir)); diff != "" {
				t.Errorf("%v (-want +got):\n%s", c, diff)
			}
		}
	}
}

// A signal that the program was started to ignore does nothing, and if it ignores all that end it,
// no other signal replaces them.
func TestSignalIgnored(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs a POSIX shell")
	}
	for list, sig := range map[string]syscall.Signal{"HUP": syscall.SIGHUP, "INT TERM HUP": syscall.SIGWINCH} {
		dir := put(t, before)
		told, by := child{"set", 4, sig}.run(t, dir, "sh", "-c", `trap "" `+list+`; exec "$@"`, "sh")
		if told != "" || by != 0 {
			t.Errorf("%s: %v, %q", list, by, told)
		}
		if diff := cmp.Diff(after, found(t, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", list, diff)
		}
	}
}

// A signal ends the making of a directory and of a file without leftovers; existing results are
// reported.
func TestSignalWhileMaking(t *testing.T) {
	for what, c := range map[string]struct {
		told string
		all  map[string]string
	}{
		"dir":      {"stopped by a signal (terminated): out was not written\n", map[string]string{"x": "old"}},
		"dir_made": {"stopped by a signal (terminated) after out was written\n", map[string]string{"x": "old", "out/main.tf": "text"}},
		"output":   {"stopped by a signal (terminated): nothing was written; run the command again\n", map[string]string{"x": "old"}},
	} {
		dir := put(t, map[string]string{"x": "old"})
		told, by := child{what, 0, syscall.SIGTERM}.run(t, dir)
		if told != c.told || by != syscall.SIGTERM {
			t.Errorf("%s: %v, %q, want %q", what, by, told, c.told)
		}
		got := map[string]string{}
		for name, text := range listing(t, dir) {
			if mode, text, _ := strings.Cut(text, " "); mode[0] != 'd' {
				got[strings.TrimPrefix(filepath.ToSlash(name), "/")] = text
			}
		}
		if diff := cmp.Diff(c.all, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
}

// The message about a signal lists the changes that stay: all were made before, or some could not
// be undone.
func TestInterrupted(t *testing.T) {
	var told []string
	s := planned(t, put(t, before), Options{Warn: func(text string) { told = append(told, text) }})
	s.isDone = true
	s.interrupted(syscall.SIGTERM)
	s.isDone = false
	s.changes[0].isDone = true // and nothing is there to take back
	s.interrupted(syscall.SIGINT)
	want := []string{
		"stopped by a signal (terminated) after everything was written",
		"stopped by a signal (interrupt); the rest was undone, but a has its new text",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
