//go:build unix

package promises_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
)

// Properties of runs that are killed at any moment, while an editor saves files.
//
// TOFUMERGE_KILLS is the number of runs to kill.

// A killing is one run that is killed.
type killing struct {
	args   []string
	files  map[string]string
	signal syscall.Signal
	after  time.Duration
	edited string // the file that is saved meanwhile, if any
}

// kills is how many runs are killed, unless the environment has another number.
func kills(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("TOFUMERGE_KILLS")); err == nil {
		return n
	}
	return usual
}

// TestKilled kills runs at random moments. Afterwards the module is the same one, and every saved text
// is there.
func TestKilled(t *testing.T) {
	flatten, mark := []string{"flatten", "--write", "--engine", "opentofu"}, append([]string{"check", "--fix", "--write"}, marking...)
	small := manyFiles(12, safely)
	typical := time.Duration(0)
	for range 3 {
		start := time.Now()
		runProgram(t, clitest.Write(t, small), flatten)
		typical = max(typical, time.Since(start))
	}
	counts := map[string]int{}
	for i := range kills(12) {
		k := killing{args: flatten, files: small, after: rand.N(typical * 5 / 4)}
		k.signal = []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT}[i%3]
		if i%4 == 1 {
			k.args = mark
		}
		if i%2 == 1 {
			k.edited = []string{"main.tf", "stock.tf", "a_override.tf"}[rand.N(3)]
		}
		counts[k.run(t)]++
	}
	t.Log(counts)
}

// manyFiles adds primary files that override files change.
func manyFiles(n int, files map[string]string) map[string]string {
	all := map[string]string{}
	for name, text := range files {
		all[name] = text
	}
	for i := range n {
		all[fmt.Sprintf("more%d.tf", i)] = fmt.Sprintf("resource \"shop_box\" \"b%d\" {\n  size = 1\n}\n", i)
		all["a_override.tf"] += fmt.Sprintf("resource \"shop_box\" \"b%d\" {\n  size = 2\n}\n", i)
	}
	return all
}

func program(dir string, args []string) *exec.Cmd {
	return exec.Command("tofumerge", append(args, dir)...)
}

func runProgram(t *testing.T, dir string, args []string) {
	t.Helper()
	if out, err := program(dir, args).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// run starts the run and kills it, and reports how it ended.
func (k killing) run(t *testing.T) (ended string) {
	dir := clitest.Write(t, k.files)
	want := meaningOf(t, dir)
	cmd := program(dir, k.args)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	saved := make(chan bool)
	go func() { saved <- k.edit(t, dir) }()
	time.Sleep(k.after)
	_ = cmd.Process.Signal(k.signal)
	_ = cmd.Wait()
	wasSaved := <-saved
	ended = "done"
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		ended = "killed by " + status.Signal().String()
		if status.Signal() != k.signal {
			t.Errorf("%+v: ended by %v", k.args, status.Signal())
		}
	} else if !cmd.ProcessState.Success() {
		ended = "failed"
	}
	all := everything(t, dir)
	if wasSaved && !strings.Contains(all, savedText) {
		t.Errorf("%v, %s: what was saved in %s is lost\n%s\n%s", k.args, ended, k.edited, &errs, all)
	}
	if ended != "killed by killed" && strings.Contains(all, "--- "+replace.Prefix) && !strings.Contains(errs.String(), replace.Prefix) {
		t.Errorf("%v, %s: files are left\n%s\n%s", k.args, ended, &errs, all)
	}
	if diff := cmp.Diff(want, meaningOf(t, dir)); diff != "" {
		t.Errorf("%v, %s, %q was saved (-before +after):\n%s\n%s\n%s", k.args, ended, k.edited, diff, &errs, all)
	}
	k.again(t, dir, want)
	return ended
}

// edit saves a file as an editor does, at some moment, if it is still the opened one. Overrides get
// a comment that survives.
func (k killing) edit(t *testing.T, dir string) bool {
	if k.edited == "" {
		return false
	}
	path := filepath.Join(dir, k.edited)
	opened, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	time.Sleep(rand.N(k.after + 1))
	now, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(opened, now) {
		return false // "the file has changed on disk"
	}
	text := string(now) + savedText
	if strings.Contains(k.edited, "override") {
		text = strings.Replace(string(now), "{\n", "{\n  "+savedText, 1)
	}
	save := saves["in place"]
	if rand.N(2) == 0 {
		save = saves["renamed"]
	}
	if err := save(path, []byte(text)); err != nil {
		t.Error(err)
	}
	return true
}

// again runs the command once more, which names the files that are left.
func (k killing) again(t *testing.T, dir string, want []string) {
	out, err := program(dir, k.args).CombinedOutput()
	if err != nil {
		t.Errorf("%v again: %v\n%s", k.args, err, out)
	}
	if diff := cmp.Diff(want, meaningOf(t, dir)); diff != "" {
		t.Errorf("%v again (-before +after):\n%s", k.args, diff)
	}
	left, _ := filepath.Glob(filepath.Join(dir, replace.Prefix+"*"))
	for _, path := range left {
		if !strings.Contains(string(out), path) {
			t.Errorf("%v again: %s is left, and not named\n%s", k.args, path, out)
		}
	}
}
