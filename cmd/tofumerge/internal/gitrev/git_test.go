package gitrev

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Git's commands get the variables that say where objects are, and none that name another repository.
func TestEnvironment(t *testing.T) {
	for _, name := range append([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "LC_ALL", "GIT_CONFIG_COUNT"}, keptVariables...) {
		t.Setenv(name, "x")
	}
	var got []string
	for _, v := range (git{index: "i"}).environment() {
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") && (value == "x" || value == "i") || name == "LC_ALL" {
			got = append(got, v)
		}
	}
	slices.Sort(got)
	want := []string{
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=x", "GIT_ATTR_NOSYSTEM=x", "GIT_CEILING_DIRECTORIES=x", "GIT_CONFIG_COUNT=x",
		"GIT_DISCOVERY_ACROSS_FILESYSTEM=x", "GIT_EXEC_PATH=x", "GIT_INDEX_FILE=i", "GIT_OBJECT_DIRECTORY=x", "LC_ALL=C",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGitError(t *testing.T) {
	for said, want := range map[string]string{"": "git log failed: exit status 1", "fatal: no": "git log failed: fatal: no"} {
		if got := (&gitError{"log", said, errors.New("exit status 1")}).Error(); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// The files of an index are read as git lists them, and a list that is something else is an error.
func TestEachEntry(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"100644 ab 0\ta b.tf\x00120000 cd 0\td/l\x00": "{a b.tf 100644 ab}{d/l 120000 cd}",
		"100644 ab 2\ta.tf\x00":                       "{a.tf unmerged ab}",
		"100644 ab 0\ta.tf":                           "git ls-files ended in the middle of a line",
		"100644 ab\ta.tf\x00":                         `git ls-files printed 100644 ab\ta.tf\x00`,
		"100644 ab 0\x00":                             `git ls-files printed 100644 ab 0\x00`,
		"100644 ab 0\t../a.tf\x00":                    `git ls-files printed 100644 ab 0\t../a.tf\x00`,
	} {
		got := ""
		if err := eachEntry(bufio.NewReader(strings.NewReader(text)), func(e entry) { got += fmt.Sprint(e) }); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
