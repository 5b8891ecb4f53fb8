package report

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// module is a module with a value of each kind.
var module = func() string {
	text, err := os.ReadFile("../testdata/words.txtar")
	if err != nil {
		panic(err)
	}
	return string(text)
}()

// changed words the changes of a module, a line each.
func changed(redact wording.Redactor, blocks []*changes.Block) string {
	var out strings.Builder
	for _, b := range blocks {
		fmt.Fprintf(&out, "%s%s\n", b.Address, BlockNote(b))
		for _, c := range b.Shown() {
			l := ModuleChanges{Redact: redact}.Line(b, &c)
			fmt.Fprintf(&out, "  %d %s: %s, %s\n", l.Kind, l.Name, l.Value, l.By)
			for _, below := range l.Below {
				fmt.Fprintf(&out, "    %d %s\n", below.Kind, below.Text)
			}
		}
	}
	return out.String()
}

func TestChangeLines(t *testing.T) {
	m := mergetest.Archive(t, module)
	got := changed(wording.NewRedactor(m.Source, false), changes.Of(m))
	want := `var.secret
  0 default: (sensitive value) → (sensitive value), override.tf:2
var.total
  0 default: "1" → 2, override.tf:5
locals
  0 local.long: "0123456789012345678901234567890123456789012345678901234567890123456789" → "0123456789012345678901234567890123456789012345678901234567890123456x89", override.tf:8
  0 local.text: , override.tf:9
    2 two
    1 three
a_b.x
  0 size: 1 → 3, override.tf:15
  0 tags.Name: "n" → "m", override.tf:17
  2 tags.Owner: "o", dropped by override.tf:17
  0 disk[0].size: 1 → 9, override.tf:19
  2 disk[0].zone: "a", dropped by override.tf:18
  2 disk[1]: a 3-line disk block, dropped by override.tf:18
  2 disk[1].size: 2, dropped by override.tf:18
  0 lifecycle.prevent_destroy: true → false, override.tf:22
  1 zone: 4, override.tf:16
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	redacted := changed(wording.NewRedactor(m.Source, true), changes.Of(m))
	for _, want := range []string{"(redacted) → 3", "(redacted) → 2", "(sensitive value) → (sensitive value)", "tags.Owner: (redacted)"} {
		if !strings.Contains(redacted, want) {
			t.Errorf("no %q in:\n%s", want, redacted)
		}
	}
	if strings.Contains(redacted, `"n"`) || strings.Contains(got+redacted, "s3cret") || strings.Contains(got+redacted, "0ther") {
		t.Errorf("values that are hidden show up in:\n%s", got+redacted)
	}
}

// Between modules each side has its own location, and a value that disappeared has only the earlier
// one.
func TestChangesBetween(t *testing.T) {
	before := mergetest.Archive(t, "-- main.tf --\nlocals {\n  a = 1\n  b = 2\n  c = 3\n}\noutput \"o\" {\n  value = 1\n}\n")
	after := mergetest.Archive(t, "-- main.tf --\nlocals {\n\n  a = 4\n  b = 2\n}\n-- new.tf --\noutput \"p\" {\n  value = 1\n}\n")
	got := changed(wording.NewRedactor(after.Source, false), changes.Between(before, after))
	for _, want := range []string{
		"locals\n  0 local.a: 1 → 4, main.tf:3, was main.tf:2\n  2 local.c: 3, was main.tf:4\n",
		"output.p (new)\n  1 value: 1, new.tf:2\n", "output.o (removed)\n  2 value: 1, was main.tf:7\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "local.b") {
		t.Errorf("what stays the same is listed:\n%s", got)
	}
}

func TestChangeCount(t *testing.T) {
	m := mergetest.Archive(t, module)
	if got, want := (ModuleChanges{Blocks: changes.Of(m)}).Count(), "8 changed, 1 added, 4 dropped in 4 blocks"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, test := range []struct {
		m    ModuleChanges
		want string
	}{
		{ModuleChanges{}, "No override changes anything."},
		{ModuleChanges{Against: "main\x1b"}, `No effective value differs from main\x1b.`},
	} {
		if got := test.m.Count(); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	if got := Kinds(changes.Counts{Dropped: 2}, true); got != "2 removed" {
		t.Errorf("between modules: %s", got)
	}
}
