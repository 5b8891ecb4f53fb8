package main

import (
	"fmt"
	"os"
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
