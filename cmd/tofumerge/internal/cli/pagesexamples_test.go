package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

func itoa(n int) string { return strconv.Itoa(n) }

// TestPagesExamples runs every example of every page in a shell and compares both output streams;
// with -update it writes them. Examples run in a copy of the repository's modules, in the order of
// the page; those of a section that shows the files of a module, each with a comment that names it,
// in a directory with these. An example with a program that isn't installed is skipped.
func TestPagesExamples(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Setenv("TOFUMERGE_ENGINE", "")
	t.Setenv("TF_CLI_CONFIG_FILE", os.DevNull)
	t.Setenv("CHECKPOINT_DISABLE", "1")
	count := 0
	for _, p := range readPages(t) {
		t.Run(p.path, func(t *testing.T) {
			text, at := "", 0
			dirs := newScratch(t, p)
			for _, b := range p.blocks {
				if b.language != "console" {
					continue
				}
				count++
				text += p.text[at:b.at] + indent(runExamples(t, b, dirs.of(t, b)), b.indent)
				at = b.end
			}
			if text += p.text[at:]; *update && text != p.text {
				if err := os.WriteFile(filepath.Join(repository, filepath.FromSlash(p.path)), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if count == 0 {
		t.Error("no page has an example")
	}
}

// runExamples runs the commands of a block and returns the block as it ought to be.
func runExamples(t *testing.T, b codeBlock, dir string) string {
	t.Helper()
	if !strings.HasPrefix(b.text, "$ ") {
		t.Errorf("line %d: an example starts with a command behind \"$ \"", b.line)
		return b.text
	}
	now := ""
	for _, x := range examplesIn(b.text) {
		got := x.want
		t.Run(x.command, func(t *testing.T) {
			got, _ = shell(t, dir, x.command)
			got = strings.Trim(got, "\n")
			want := strings.Trim(x.want, "\n")
			if diff := cmp.Diff(want, got); diff != "" && !*update {
				t.Errorf("line %d and what follows are stale; go test ./cmd/tofumerge/internal/cli -run TestPages -update (-want +got):\n%s", b.line, diff)
			}
		})
		now += "$ " + x.command + "\n"
		if got = strings.Trim(got, "\n"); got != "" {
			now += got + "\n"
		}
		now += "\n"
	}
	return strings.TrimRight(now, "\n") + "\n"
}

func indent(text, by string) string {
	return regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(text, by+"$1")
}

// A scratch is the directories that the commands of a page run in.
type scratch struct {
	page     *page
	modules  string         // holds copies of testdata/modules and testdata/elsewhere
	sections map[int]string // by section, where files are shown
}

func newScratch(t *testing.T, p *page) *scratch {
	t.Helper()
	s := &scratch{page: p, modules: t.TempDir(), sections: map[int]string{}}
	for _, modules := range []string{"testdata/modules", "testdata/elsewhere"} {
		if err := os.CopyFS(filepath.Join(s.modules, modules), os.DirFS(filepath.Join(repository, modules))); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(p.text, "--since ") || strings.Contains(p.text, "--only-new ") {
		commitAll(t, s.modules)
	}
	return s
}

// commitAll makes a directory a repository with one commit, as a clone is one.
func commitAll(t *testing.T, dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		return
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "clone"}} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// of is the directory for the commands of a block.
func (s *scratch) of(t *testing.T, b codeBlock) string {
	t.Helper()
	for _, shown := range s.page.blocks {
		if shown.section != b.section || shown.file == "" {
			continue
		}
		if s.sections[b.section] == "" {
			s.sections[b.section] = t.TempDir()
		}
		file := filepath.Join(s.sections[b.section], filepath.FromSlash(shown.file))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(shownFile.ReplaceAllString(shown.text, "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if dir := s.sections[b.section]; dir != "" {
		return dir
	}
	return s.modules
}

// programs are those that commands of pages may need besides tofumerge.
var programs = []string{
	"bash", "cat", "diff", "grep", "jq", "ln", "ls", "patch",
	"terraform", "tofu", "hcl2json", "tflint", "terraform-config-inspect",
}

// needPrograms skips a test of a command where this machine lacks a program for it.
func needPrograms(t *testing.T, command string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil && (strings.Contains(command, "--since") || strings.Contains(command, "--only-new") || strings.Contains(command, "--config-from")) {
		t.Skip("git is not on this machine")
	}
	for _, name := range programs {
		if regexp.MustCompile(`(^|[|(&;] *)`+name+`( |$)`).MatchString("bash ; "+command) && !isRunnable(name) {
			t.Skip(name + " is not on this machine, or doesn't work")
		}
	}
}

// isRunnable reports whether this machine has a program; of the engines, one that works.
func isRunnable(name string) bool {
	path, err := exec.LookPath(name)
	if err == nil && (name == "terraform" || name == "tofu") {
		err = clitest.Works(path, "version")
	}
	return err == nil
}

// shell runs a command in a directory and returns its output, and its status.
func shell(t *testing.T, dir, command string) (out string, status int) {
	t.Helper()
	needPrograms(t, command)
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}
