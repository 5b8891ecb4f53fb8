package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/merge"
)

const readme = "../../README.md"

// TestReadmeRules fails when the table of rules in the README is not the one of
// the code; with -update it writes it.
func TestReadmeRules(t *testing.T) {
	const start, end = "<!-- rules: made from internal/merge/rules.go -->\n", "<!-- end of rules -->\n"
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), start)
	if !ok {
		t.Fatalf("README.md has no line %q", start)
	}
	got, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("README.md has no line %q", end)
	}
	want := rulesTable()
	if *update {
		if err := os.WriteFile(readme, []byte(before+start+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the table of rules is stale; go test ./cmd/tofumerge -run TestReadme -update (-want +got):\n%s", diff)
	}
}

// rulesTable words the table of rules, a row each.
func rulesTable() string {
	var out strings.Builder
	out.WriteString("\n| in an override file | what it does |\n| --- | --- |\n")
	for i := range merge.Rules {
		r := &merge.Rules[i]
		name := "`" + strings.ReplaceAll(r.Path, "/", ".") + "`"
		if r.Path == "*" {
			name = "any other argument or nested block"
		}
		since := ""
		if s := r.Releases(); s != "all releases" {
			since = fmt.Sprintf(" (%s)", s)
		}
		fmt.Fprintf(&out, "| %s%s | %s |\n", name, since, r.Why)
	}
	out.WriteString("\n")
	return out.String()
}

var readmeCommand = regexp.MustCompile(`(?m)^    \$ (.*)\n((?:    [^$\n].*\n|\n)*)`)

// TestReadmeExamples runs every example of the README in a shell, at the top of
// the repository, and compares what it prints on both streams. An example with a
// program that this machine lacks is skipped.
func TestReadmeExamples(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	t.Setenv("NO_COLOR", "1")
	examples := readmeCommand.FindAllSubmatchIndex(text, -1)
	if len(examples) == 0 {
		t.Fatal("README.md has no example")
	}
	for _, at := range slices.Backward(examples) {
		command := string(text[at[2]:at[3]])
		t.Run(command, func(t *testing.T) {
			got := shell(t, command)
			want := strings.Trim(regexp.MustCompile(`(?m)^    `).ReplaceAllString(string(text[at[4]:at[5]]), ""), "\n")
			if *update {
				lines := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(strings.Trim(got, "\n"), "    $1")
				text = slices.Concat(text[:at[4]], []byte(lines+"\n\n"), text[at[5]:])
				return
			}
			if diff := cmp.Diff(want, strings.Trim(got, "\n")); diff != "" {
				t.Errorf("(-README +got):\n%s", diff)
			}
		})
	}
	if *update {
		if err := os.WriteFile("README.md", text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// programs are those that examples may need besides tofumerge.
var programs = []string{"bash", "cat", "diff", "grep", "jq", "patch"}

// shell runs a command and returns what it prints.
func shell(t *testing.T, command string) string {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil && regexp.MustCompile(`\b`+name+`\b`).MatchString("bash "+command) {
			t.Skip(name + " is not on this machine")
		}
	}
	out, _ := exec.Command("bash", "-c", command).CombinedOutput()
	return string(out)
}
