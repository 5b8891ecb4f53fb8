package report

import (
	"os"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Each rule of the merge has a section, and a row there, on the page at its address.
func TestMergingRuleURL(t *testing.T) {
	page, err := os.ReadFile("../../../docs/merging-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{} // the texts of sections, by their anchors
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		heading, text, _ := strings.Cut(section, "\n")
		anchor := strings.NewReplacer("`", "", ".", "", " ", "-").Replace(strings.ToLower(heading))
		rows[anchor] = text
	}
	for _, r := range rules.All() {
		_, anchor, _ := strings.Cut(MergingRuleURL(r), "#")
		text, ok := rows[anchor]
		name := r.Path[strings.LastIndexByte(r.Path, '/')+1:]
		if !ok || name != anchor && name != "encryption" && !strings.Contains(text, name) && r.Path != "*" && name != "_" {
			t.Errorf("%s: nothing in section %q", r.Path, anchor)
		}
	}
}
