package patch

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"pgregory.net/rapid"
)

// TestInserted checks that inserting into a difference is inserting into its new text.
func TestInserted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"", "a\n", "b\n", "c", "\n", "dd\nee\n"})
		old := strings.Join(rapid.SliceOfN(word, 0, 12).Draw(t, "old"), "")
		var edits []textedit.Edit
		for at := 0; at <= len(old); {
			at += rapid.IntRange(0, 5).Draw(t, "gap")
			end := at + rapid.IntRange(0, 3).Draw(t, "length")
			if end > len(old) {
				break
			}
			edits = append(edits, textedit.Replace(at, end, word.Draw(t, "text")))
			at = end + 1
		}
		d := Diff("main.tf", []byte(old), edits)
		now := d.New()
		var texts []textedit.Edit
		for at := 0; at <= len(now); at += rapid.IntRange(0, 6).Draw(t, "step") {
			texts = append(texts, textedit.Replace(at, at, word.Draw(t, "insertion")))
			if len(texts) > 20 {
				break
			}
		}
		want := string(textedit.Apply(now, 0, len(now), texts))
		made := d.Inserted(texts)
		if got := string(made.New()); got != want {
			t.Fatalf("%q with %v and %v is %q, not %q", old, edits, texts, got, want)
		}
		if made.Changes() != (want != old) {
			t.Fatalf("%q becomes %q, and it changes: %v", old, want, made.Changes())
		}
	})
}

// TestDiffOfTheSame checks that edits whose result is the old text are no change.
func TestDiffOfTheSame(t *testing.T) {
	edits := []textedit.Edit{textedit.Replace(0, 2, ""), textedit.Replace(8, 8, "a\n")} // too far apart to be compared together
	if d := Diff("main.tf", []byte(strings.Repeat("a\n", 4)), edits); d.Changes() {
		t.Errorf("%q becomes %q, which is a change", d.Old, d.New())
	}
}
