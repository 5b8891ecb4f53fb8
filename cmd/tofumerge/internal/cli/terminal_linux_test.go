package cli

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// What people see on a terminal.

// A shown is the text on a terminal of a given width after a run, both streams in one.
func shown(t *testing.T, columns uint16, env []string, args ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The binary of the tests is the program if it is called so.
	program := filepath.Join(t.TempDir(), "tofumerge")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append([]string{"TERM=xterm", "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}, env...)
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: columns})
	if err != nil {
		t.Skipf("needs a pseudoterminal: %v", err)
	}
	defer terminal.Close()
	text, _ := io.ReadAll(terminal) // which ends in an error if the program ends
	_ = cmd.Wait()
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// moduleTexts are runs whose whole output is text that wraps; configuration and source lines don't.
var moduleTexts = [][]string{
	{"list", "../../../../testdata/modules/web"},
	{"check", "-v", "../../../../testdata/modules/web"},
	{"-C", "../../../../testdata/modules/web", "explain", "aws_instance.web", "terraform.backend"},
	{"explain"},
	{"../../../../testdata/modules/queue", "-v", "--exclude-override", "dev_*", "-o", os.DevNull},
}

// An editor that runs check on a terminal and names the format finds each finding on a line.
func TestTerminalForTools(t *testing.T) {
	text := shown(t, 40, nil, "check", "--format", "text", "../../../../testdata/modules/web")
	want := regexp.MustCompile(`(?m)^\S*local_override\.tf:10:3: .*warning.*: This block .* \[block-replace-drops-arguments\]$`)
	if !want.MatchString(colours.ReplaceAllString(text, "")) {
		t.Errorf("no line with the finding in\n%s", text)
	}
}

// prefix is how many columns are in front of an address that is never shortened.
const prefix = 8

// TestTerminalWidth fails if a line of text is longer than the terminal is wide, but for single
// long words; or if it is shortened where there is room.
func TestTerminalWidth(t *testing.T) {
	for _, args := range moduleTexts {
		whole := strings.Fields(shown(t, 1000, []string{"NO_COLOR=1"}, args...))
		for _, columns := range []uint16{40, 80, 200} {
			text := shown(t, columns, []string{"NO_COLOR=1"}, args...)
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				words := strings.Fields(line)
				if screen.Columns(line) > int(columns) && len(words) > 2 && screen.Columns(words[len(words)-1]) < int(columns)-prefix {
					t.Errorf("%v in %d columns: %q is too long", args, columns, line)
				}
			}
			if words := strings.Fields(text); columns == 200 && strings.Join(words, " ") != strings.Join(whole, " ") {
				t.Errorf("%v in %d columns says something else:\n%s", args, columns, text)
			}
		}
		if strings.Contains(strings.Join(whole, " "), "…") {
			t.Errorf("%v in 1000 columns is shortened", args)
		}
	}
}

// COLUMNS is the width if it is set, as git and others read it.
func TestTerminalColumns(t *testing.T) {
	want := shown(t, 60, nil, moduleTexts[0]...)
	if got := shown(t, 200, []string{"COLUMNS=60"}, moduleTexts[0]...); got != want {
		t.Errorf("with COLUMNS=60 it is\n%s\nand on a terminal of 60 columns\n%s", got, want)
	}
	wide := shown(t, 200, nil, moduleTexts[0]...)
	for _, odd := range []string{"0", "-1", "many", "", "99999"} {
		if got := shown(t, 200, []string{"COLUMNS=" + odd}, moduleTexts[0]...); got != wide {
			t.Errorf("with COLUMNS=%s it is\n%s", odd, got)
		}
	}
}

// A terminal that does not know its width has 80 columns; one that is very narrow breaks the
// lines itself.
func TestTerminalOddWidths(t *testing.T) {
	if got, want := shown(t, 0, nil, moduleTexts[0]...), shown(t, 80, nil, moduleTexts[0]...); got != want {
		t.Errorf("without a width it is\n%s", got)
	}
	if got, want := shown(t, 1, nil, moduleTexts[0]...), shown(t, terminal.MinWidth, nil, moduleTexts[0]...); got != want {
		t.Errorf("in one column it is\n%s", got)
	}
}

// Only a terminal gets blank lines: between files whose texts would touch, and between messages
// and the result.
func TestTerminalBlankLines(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.tf": "variable \"a\" {}\n", "b.tf": "# lead\nvariable \"b\" {}\n\n", "c.tf": "variable \"c\" {}", "d.tf": "",
		"e.tf": "variable \"e\" {}\n", "z_override.tf": "variable \"a\" {\n  ephemeral = true\n}\nremoved {\n  from = x.y\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"--no-overrides", dir}
	want := "variable \"a\" {}\n\n# lead\nvariable \"b\" {}\n\nvariable \"c\" {}\n\nvariable \"e\" {}\n"
	if got := shown(t, 80, []string{"NO_COLOR=1"}, args...); !strings.HasPrefix(got, want+"\n1 override file") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := shown(t, 80, []string{"NO_COLOR=1"}, append(args, "-q")...); got != want {
		t.Errorf("without messages: got\n%s\nwant\n%s", got, want)
	}
	messages := shown(t, 80, []string{"NO_COLOR=1"}, "-o", os.DevNull, "../../../../testdata/modules/web", "-v")
	if text := "\n\n" + messages; !strings.Contains(text, "\n\nWarning: ") || !strings.Contains(text, "\n\nopentofu@") {
		t.Errorf("no blank line is between a warning and a summary:\n%s", messages)
	}
	got := shown(t, 80, []string{"NO_COLOR=1"}, "../../../../testdata/modules/web", "-v")
	if !strings.HasPrefix(got, "terraform {\n") || !strings.HasSuffix(got, "}\n\n"+messages) {
		t.Errorf("no blank line is between messages and the result:\n%s", got)
	}
	got = shown(t, 80, []string{"NO_COLOR=1"}, "list", "../../../../testdata/modules/web")
	if !strings.Contains(got, "\n\nopentofu@") || strings.Contains(got, "\n\n\n") {
		t.Errorf("no blank line is between the result and messages:\n%s", got)
	}
}

// Configuration is coloured on a terminal, and is the same text without its colours.
func TestTerminalColours(t *testing.T) {
	for _, args := range [][]string{
		{"-a", "../../../../testdata/modules/web"}, {"--json", "../../../../testdata/modules/queue"}, {"diff", "../../../../testdata/modules/queue"},
		{"list", "--json", "../../../../testdata/modules/web"}, {"check", "-f", "json", "../../../../testdata/modules/web"},
		{"check", "-f", "sarif", "../../../../testdata/modules/web"}, {"diff", "--json", "../../../../testdata/modules/web"},
		{"-C", "../../../../testdata/modules/web", "explain", "--json", "var.region"}, {"-C", "../../../../testdata/modules/web", "explain", "var.region"},
	} {
		plain, coloured := shown(t, 80, []string{"NO_COLOR=1"}, args...), shown(t, 80, nil, args...)
		if colours.MatchString(plain) || !colours.MatchString(coloured) {
			t.Errorf("%v: NO_COLOR is not what decides on colours\n%s\n%s", args, plain, coloured)
		}
		if colours.ReplaceAllString(coloured, "") != plain {
			t.Errorf("%v: colours change the text to\n%s", args, coloured)
		}
	}
}
