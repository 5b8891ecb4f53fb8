package promises_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var parsedEvery = flag.Int("parsed-every", 12, "compare with the parser on every `N`th module")

// TestParsed runs commands with everything parsed and with the shortcuts without the parser, on
// modules of the other tests: both must print the same, and end with the same status.
func TestParsed(t *testing.T) {
	c := &campaign{t: t, dir: quickDir(t)}
	compared := 0
	for i, m := range mutantSeeds(t) {
		if i%*parsedEvery != 0 {
			continue
		}
		x := c.subject(m)
		for _, line := range []string{
			"", "--json", "-a", "-a --json", "--only-changed", "list", "list --json", "diff", "changes", "check",
			"check --json", "explain --all", "check --fix --enable unmarked-override", "flatten -o out --only-config",
		} {
			args := strings.Fields(line)
			x.parsed = false
			got, files := x.written(t, args)
			x.parsed = true
			want, also := x.written(t, args)
			if got != want || files != also {
				t.Errorf("%q on\n%s\ngives\n%+v\n%s\nbut parsed\n%+v\n%s", line, everything(t, x.dir), got, files, want, also)
			}
			compared++
		}
		x.remove()
	}
	t.Logf("%d runs compared", compared)
}

// written runs a command and returns its output, and the files in the directory out, which is
// removed.
func (x *subject) written(t *testing.T, args []string) (outcome, string) {
	got, _ := x.exec(args)
	out := filepath.Join(x.dir, "out")
	if _, err := os.Stat(out); err != nil {
		return got, ""
	}
	defer os.RemoveAll(out)
	return got, everything(t, out)
}
