package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// explained words the effective items of an address, and its history.
func explained(t *testing.T, m *merge.Module, redact bool, text string) string {
	t.Helper()
	a, err := address.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r := wording.NewRedactor(m.Source, redact)
	var out strings.Builder
	for _, target := range lookup.Find(m, a) {
		words, value := InEffectAt(r, target, 2)
		fmt.Fprintf(&out, "%s%s%s\n", target.Address, words, value)
		for _, row := range HistoryRows(r, target, nil) {
			fmt.Fprintf(&out, "%s\n", strings.TrimSpace(strings.Join([]string{row.Words(), wording.Place(row.At), row.Value, row.Note, row.CausedBy(r)}, " ")))
		}
	}
	return out.String()
}

func TestHistory(t *testing.T) {
	m := mergetest.Archive(t, module)
	for _, test := range []struct {
		address string
		redact  bool
		want    string
	}{
		{"a_b.x.size", false, "a_b.x.size = 3\neffective override.tf:15 3\nreplaced main.tf:17 1  by override.tf:15\n"},
		{"a_b.x.size", true, "a_b.x.size = 3\neffective override.tf:15 3\nreplaced main.tf:17 (redacted)  by override.tf:15\n"},
		{"a_b.x.tags", false, "a_b.x.tags = { Name = \"m\" }\neffective override.tf:17 { Name = \"m\" } drops Owner\n" +
			"replaced main.tf:19 { Name = \"n\", Owner = \"o\" }  by override.tf:17\n"},
		{"a_b.x.disk", false, "a_b.x.disk: 1 disk block\neffective override.tf:18 a 3-line disk block drops zone\n" +
			"replaced main.tf:24 a 3-line disk block  by override.tf:18\nreplaced main.tf:20 a 4-line disk block  by override.tf:18\n"},
		{"var.secret.default", true, "var.secret.default = (sensitive value)\neffective override.tf:2 (sensitive value)\n" +
			"replaced main.tf:2 (sensitive value)  by override.tf:2\n"},
		{"local.text", false, "local.text = <<-EOT\n    one\n… 2 more lines\neffective override.tf:9 a 2-line heredoc\nreplaced main.tf:11 a 2-line heredoc  by override.tf:9\n"},
	} {
		if diff := cmp.Diff(test.want, explained(t, m, test.redact, test.address)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.address, diff)
		}
	}
}
