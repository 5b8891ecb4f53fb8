package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// Columns are counted in code points, up to the end of a text.
func TestFixEdits(t *testing.T) {
	text := []byte("a\r\né𐐀 = 1\nend")
	got := FixEdits("x.tf", text, []textedit.Edit{textedit.Replace(3, 9, "ü"), textedit.Replace(14, len(text), "")})
	want := []fixEdit{
		{"x.tf", PosRecord{2, 1, 3}, PosRecord{2, 3, 9}, "ü"},
		{"x.tf", PosRecord{3, 1, 14}, PosRecord{3, 4, 17}, ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if end := FixEdits("x.tf", []byte("a\n"), []textedit.Edit{textedit.Replace(0, 2, "")})[0].End; end != (PosRecord{2, 1, 2}) {
		t.Errorf("the end of a text with a line end is %+v", end)
	}
}

// A fix is in SARIF, unless it writes values: those are in no log.
func TestFixFormats(t *testing.T) {
	f := odd.Findings[0]
	f.Fix = &FixRecord{Text: "Remove it.", Edits: FixEdits(f.Path, []byte("a\nbc\n"), []textedit.Edit{textedit.Replace(2, 5, "")})}
	r := &Report{Findings: []FindingRecord{f}}
	fixes := readSARIF(t, sarifOf(t, r)).Results[0].Fixes
	if len(fixes) != 1 || len(fixes[0].ArtifactChanges) != 1 || fixes[0].ArtifactChanges[0].Replacements[0].DeletedRegion.EndLine != 3 {
		t.Errorf("%+v", fixes)
	}
	f.Fix.Quotes, f.Fix.Edits[0].Text = true, "password = 1"
	if got := sarifOf(t, r); strings.Contains(got, "fixes") || strings.Contains(got, "password = 1") {
		t.Errorf("a value in\n%s", got)
	}
}

// Links of a page have the same target if the page is shown elsewhere.
func TestWholeLinks(t *testing.T) {
	got := withWholeLinks("[a](b.md) [c](../trust.md#x) [d](https://example.com/) `x](y.md)` [e](#f)", "no-effect")
	const root = "https://github.com/tofumerge/tofumerge/blob/main/docs/"
	want := "[a](" + root + "rules/b.md) [c](" + root + "trust.md#x) [d](https://example.com/) `x](" + root + "rules/y.md)` [e](" + root + "rules/no-effect.md#f)"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
