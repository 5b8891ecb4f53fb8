package check

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	pages    = "../../../docs/rules"
	scripts  = "../../../testdata/script/*.txtar"
	programs = "../../../cmd/tofumerge/internal/*/*_test.go" // of rules that no script can meet
)

// TestRules fails if a rule has no page or no script, if its page or the table of pages differs, or
// if a page has no rule.
func TestRules(t *testing.T) {
	tested := everyScript(t)
	for _, r := range Rules {
		if lack := lackOf(r, tested); lack != "" {
			t.Errorf("%s: %s", r.ID, lack)
		}
	}
	list, err := filepath.Glob(pages + "/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range list {
		id := strings.TrimSuffix(filepath.Base(page), ".md")
		if id != "README" && FindRule(id) == nil {
			t.Errorf("docs/rules/%s.md is the page of no rule", id)
		}
	}
}

// lackOf is the first thing that a rule lacks.
func lackOf(r *Rule, tested string) string {
	byDefault := "on"
	if r.Off {
		byDefault = "off"
	}
	page, err := os.ReadFile(filepath.Join(pages, r.ID+".md"))
	table, tableErr := os.ReadFile(filepath.Join(pages, "README.md"))
	head := fmt.Sprintf("# %s\n\n%s: %s, %s by default.\n", r.ID, r.Title, r.Severity, byDefault)
	row := fmt.Sprintf("| [%[1]s](%[1]s.md) | %s | %s | %s |\n", r.ID, r.Severity, byDefault, r.Title)
	switch {
	case err != nil:
		return fmt.Sprintf("docs/rules has no page: %v", err)
	case tableErr != nil:
		return tableErr.Error()
	case !strings.HasPrefix(string(page), head):
		return fmt.Sprintf("its page does not start with %q", head)
	case !strings.Contains(string(table), row):
		return fmt.Sprintf("docs/rules/README.md has no row %q", row)
	case !strings.Contains(tested, r.ID):
		return "no script in testdata/script has it, and no test of the command"
	}
	return ""
}

// everyScript is the text of all scripts and of the tests of the command.
func everyScript(t *testing.T) string {
	t.Helper()
	list, err := filepath.Glob(scripts)
	if err != nil || len(list) == 0 {
		t.Fatal("no scripts: ", err)
	}
	tests, err := filepath.Glob(programs)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range append(list, tests...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
