package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// completed returns the completions that a shell gets for the last word of a command line.
func completed(t *testing.T, in io.Reader, words ...string) []string {
	t.Helper()
	var out bytes.Buffer
	args := append([]string{"__completeNoDesc"}, words...)
	Run(args, Streams{In: in, Out: &out, Err: io.Discard, Env: func(string) string { return "" }})
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

// Of very many addresses a shell gets the next segments, and nothing for a hostile name or an
// unreadable file. Standard input belongs to the shell.
func TestCompletionHasBounds(t *testing.T) {
	dir := t.TempDir()
	var many strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "resource \"kite\" \"k%d\" {\n  wings = 2\n}\n", i)
	}
	many.WriteString("resource \"kite\" \"\\u001b[31m\" {}\nvariable \"wind\" {}\n")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("main.tf", many.String())
	write("broken.tf", "variable \"calm\" {}\nlocals {")
	for _, name := range []string{"sub", "a\nb", "\x1b[31m", "-x", ".hidden", "blank here"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	stdin := iotest.ErrReader(fmt.Errorf("standard input was read"))
	for _, c := range []struct {
		words string
		want  []string
	}{
		{"-C|" + dir + "|explain|", []string{"kite.", "locals", "var.", ":6"}},
		{"-C|" + dir + "|explain|kite.k2999", []string{"kite.k2999", "kite.k2999.wings", ":4"}},
		{"-C|" + dir + "|--overlay|-|explain|var.w", []string{"var.wind", ":4"}},
		{"-C|" + dir + "|s", []string{"sub/", ":6"}},
		{"-C|" + dir + "/absent|explain|", []string{":4"}},
		{"-C|" + dir + "/absent|zz", []string{":4"}},
		{"--engine|none|-C|" + dir + "|explain|", []string{":4"}},
		{"--filter|x|" + dir + "/main.tf|", []string{":4"}},
	} {
		got := completed(t, stdin, strings.Split(c.words, "|")...)
		if diff := cmp.Diff(c.want, slices.Compact(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.words, diff)
		}
	}
	for _, odd := range []string{"a\nb", "-x", ".hidden", "\x1b"} {
		if got := completed(t, stdin, "-C", dir, ""); slices.ContainsFunc(got, func(line string) bool { return strings.Contains(line, odd) }) {
			t.Errorf("%q is offered: %q", odd, got)
		}
	}
}

// The state of a run is released when it is over: nothing is kept for completion.
func TestRunIsForgotten(t *testing.T) {
	forgotten := make(chan bool, 1)
	func() {
		out := &bytes.Buffer{}
		runtime.AddCleanup(out, func(done chan bool) { done <- true }, forgotten)
		Run([]string{"version"}, Streams{Out: out, Err: io.Discard, Env: func(string) string { return "" }})
	}()
	for range 5000 {
		runtime.GC()
		select {
		case <-forgotten:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("the output stream is still held")
}
