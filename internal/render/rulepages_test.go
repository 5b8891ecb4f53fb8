package render

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/merge/check"
)

const rulePages = "../../docs/rules"

// TestRulePages fails where a rule has no page, the page says otherwise than the
// rule, or the table of rules has no such row; and where there is a page of no rule.
func TestRulePages(t *testing.T) {
	table := readPage(t, "README")
	for _, rule := range check.Rules {
		page, byDefault := readPage(t, rule.ID), "on"
		if rule.Off {
			byDefault = "off"
		}
		head := fmt.Sprintf("# %s\n\n%s: %s, %s by default.\n", rule.ID, rule.Title, rule.Severity, byDefault)
		if !strings.HasPrefix(page, head) {
			t.Errorf("the page of %s does not start with %q", rule.ID, head)
		}
		if row := fmt.Sprintf("| [%[1]s](%[1]s.md) | %s | %s | %s |\n", rule.ID, rule.Severity, byDefault, rule.Title); !strings.Contains(table, row) {
			t.Errorf("README.md has no row %q", row)
		}
	}
	pages, err := filepath.Glob(rulePages + "/*.md")
	if err != nil || len(pages) != len(check.Rules)+1 {
		t.Errorf("%d pages (%v), want one for each of %d rules and README.md", len(pages), err, len(check.Rules))
	}
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(rulePages, name+".md"))
	if err != nil {
		t.Error(err)
	}
	return string(text)
}
