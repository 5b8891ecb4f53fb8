package replace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An output file is replaced, unless somebody saved it since it was found.
func TestOutputSavedMeanwhile(t *testing.T) {
	save := func(text string) func(path string) error {
		return func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	nothing := func(string) error { return nil }
	for name, c := range map[string]struct {
		before    map[string]string
		meanwhile func(path string) error
		want      string
		fails     bool
	}{
		"new":              {nil, nothing, "new", false},
		"old":              {map[string]string{"x": "old"}, nothing, "new", false},
		"saved":            {map[string]string{"x": "old"}, save("precious"), "precious", true},
		"made":             {nil, save("precious"), "precious", true},
		"made alike":       {nil, save("new"), "new", false},
		"saved alike":      {map[string]string{"x": "old"}, save("new"), "new", false},
		"removed":          {map[string]string{"x": "old"}, os.Remove, "new", false},
		"another by now":   {map[string]string{"x": "old", "y": "precious"}, func(path string) error { return os.Rename(filepath.Dir(path)+"/y", path) }, "precious", true},
		"a link meanwhile": {map[string]string{"y": "precious"}, func(path string) error { return os.Symlink("y", path) }, "precious", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := put(t, c.before)
			path := filepath.Join(dir, "x")
			o, err := FindOutput(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.meanwhile(path); err != nil {
				t.Skip(err)
			}
			err = o.Write([]byte("new"), Options{Warn: func(text string) { t.Errorf("told %q", text) }})
			if (err != nil) != c.fails {
				t.Errorf("%v", err)
			}
			got := found(t, dir)
			if got["x"] != c.want {
				t.Errorf("it is %q", got["x"])
			}
			for name := range got {
				if strings.HasPrefix(name, Prefix) {
					t.Errorf("%s is left", name)
				}
			}
		})
	}
}

// Links are followed, even one to a missing file.
func TestOutputLinks(t *testing.T) {
	dir := put(t, map[string]string{"old": "old"})
	for link, target := range map[string]string{"a": "b", "b": "new", "c": "old"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{"a", "c"} {
		o, err := FindOutput(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Write([]byte("text"), Options{}); err != nil {
			t.Error(err)
		}
	}
	want := map[string]string{"a": "text", "b": "text", "c": "text", "new": "text", "old": "text"}
	if diff := cmp.Diff(want, found(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if info, err := os.Lstat(filepath.Join(dir, "c")); err != nil || info.Mode().IsRegular() {
		t.Error("the link is gone")
	}
}
