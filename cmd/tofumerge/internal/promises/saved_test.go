package promises_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

// Properties of runs that write a file while somebody saves it.

// safely is a module that is the same one after each step.
var safely = map[string]string{
	"main.tf":            "resource \"shop_till\" \"front\" {\n  drawers = 1\n}\n",
	"stock.tf":           "locals {\n  boards = 3\n}\n",
	"a_override.tf":      "resource \"shop_till\" \"front\" {\n  drawers = 5\n}\n",
	"b_override.tf":      "locals {\n  boards = 4\n}\n",
	"b_override.tofu":    "locals {\n  boards = 6\n}\n",
	"c_override.tf.json": `{"provider": {"shop": {"town": "Bonn"}}}`,
}

const savedText = "# saved by somebody else\n"

// saves are the ways in which editors save a file.
var saves = map[string]func(path string, text []byte) error{
	"in place": func(path string, text []byte) error { return os.WriteFile(path, text, 0o600) },
	"renamed": func(path string, text []byte) error {
		if err := os.WriteFile(path+".swp", text, 0o600); err != nil {
			return err
		}
		return os.Rename(path+".swp", path)
	},
}

// everything is all text below a directory.
func everything(t *testing.T, dir string) string {
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&all, "--- %s\n%s", filepath.Base(path), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// savingAt runs a command on a directory, and saves a file before a step.
func savingAt(t *testing.T, dir string, at int, save func() error, args ...string) (status, steps int, errs string) {
	var out, report bytes.Buffer
	s := cli.Streams{Out: &out, Err: &report, Env: func(string) string { return "" }}
	s.Interrupt = func(step int) error {
		steps = step + 1
		if step == at {
			return save()
		}
		return nil
	}
	status = cli.Run(append(args, dir), s)
	return status, steps, report.String()
}

// TestSavedMeanwhile saves each file before each step, in each way. The text must be there
// afterwards, under its name or the one in the message; and unless it was saved after the last step
// that matters, nothing was written and the others are unchanged.
func TestSavedMeanwhile(t *testing.T) {
	flatten, mark := []string{"flatten", "--write", "--engine", "opentofu"}, append([]string{"check", "--fix", "--write"}, marking...)
	eachSave(t, safely, flatten)
	eachSave(t, map[string]string{"main.tf": safely["main.tf"], "a_override.tf": safely["a_override.tf"]}, mark)
}

// eachSave saves before each step, in turn in each way.
func eachSave(t *testing.T, files map[string]string, args []string) {
	ways := slices.Sorted(maps.Keys(saves))
	_, steps, _ := savingAt(t, clitest.Write(t, files), -1, nil, args...)
	for i, name := range slices.Sorted(maps.Keys(files)) {
		for at := range steps {
			way := ways[(i+at)%len(ways)]
			savedAt(t, files, args, name, way, at, saves[way])
		}
	}
}

func savedAt(t *testing.T, files map[string]string, args []string, name, way string, at int, save func(string, []byte) error) {
	dir := clitest.Write(t, files)
	where := fmt.Sprintf("%v: %s saved %s before step %d", args, name, way, at)
	status, _, errs := savingAt(t, dir, at, func() error {
		return save(filepath.Join(dir, name), []byte(files[name]+savedText))
	}, args...)
	all := everything(t, dir)
	if !strings.Contains(all, savedText) {
		t.Errorf("%s: it is lost, status %d\n%s%s", where, status, errs, all)
	}
	if status == cli.ExitOK {
		return
	}
	for other, text := range files {
		if got, err := os.ReadFile(filepath.Join(dir, other)); other != name && (err != nil || string(got) != text) {
			t.Errorf("%s: %s is not what it was (%v)\n%s%s", where, other, err, errs, all)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != files[name]+savedText {
		t.Errorf("%s: it is not as it was saved (%v)\n%s%s", where, err, errs, all)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") && !strings.Contains(errs, e.Name()) {
			t.Errorf("%s: %s is left, and not named\n%s", where, e.Name(), errs)
		}
	}
}
