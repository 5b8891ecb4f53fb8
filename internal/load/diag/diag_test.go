package diag

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
)

func at(file string, line, column int) hcl.Range {
	pos := hcl.Pos{Line: line, Column: column}
	return hcl.Range{Filename: file, Start: pos, End: pos}
}

// The extras of a diagnostic are kept side by side, in whatever order they are added.
func TestExtras(t *testing.T) {
	d := New(at("a.tf", 3, 1), "Summary", "a %s of %d", "detail", 2)
	if d.Severity != hcl.DiagError || d.Summary != "Summary" || d.Detail != "a detail of 2" || *d.Subject != at("a.tf", 3, 1) {
		t.Errorf("%+v", d)
	}
	if _, ok := RelatedOf(d); ok || CodeOf(d) != "" || AlsoOf(d) != nil {
		t.Errorf("a new diagnostic has extras: %+v", d.Extra)
	}
	related := Related{Note: "declared here first", Range: at("b.tf", 1, 1), IsHint: true}
	places := []hcl.Range{at("c.tf", 2, 2)}
	for _, add := range []func() *hcl.Diagnostic{
		func() *hcl.Diagnostic { return WithCode(OddBytes, d) },
		func() *hcl.Diagnostic { return WithRelated(related, d) },
		func() *hcl.Diagnostic { return WithAlso(places, d) },
		func() *hcl.Diagnostic { return ShowAsError(d) },
		func() *hcl.Diagnostic { return WithCode(NoEffect, d) },
	} {
		if add() != d {
			t.Error("another diagnostic comes back")
		}
	}
	got, ok := RelatedOf(d)
	if !ok || got != related || CodeOf(d) != NoEffect || !cmp.Equal(AlsoOf(d), places) {
		t.Errorf("%+v", d.Extra)
	}
	if with := NewWith(related, at("a.tf", 1, 1), "s", "%d", 1); with.Detail != "1" || with.Subject.Filename != "a.tf" {
		t.Errorf("%+v", with)
	} else if got, ok := RelatedOf(with); !ok || got != related {
		t.Errorf("NewWith has %+v", got)
	}
}

// People read some warnings as errors; an engine refuses a module for errors only.
func TestErrors(t *testing.T) {
	warning := &hcl.Diagnostic{Severity: hcl.DiagWarning}
	grave := ShowAsError(&hcl.Diagnostic{Severity: hcl.DiagWarning})
	refusal := &hcl.Diagnostic{Severity: hcl.DiagError}
	all := hcl.Diagnostics{warning, grave, refusal}
	same := func(got hcl.Diagnostics, want ...*hcl.Diagnostic) bool {
		for i := range want {
			if len(got) != len(want) || got[i] != want[i] {
				return false
			}
		}
		return true
	}
	if got := Errors(all); !same(got, grave, refusal) {
		t.Errorf("errors: %v", got)
	}
	if got := Refusals(all); !same(got, refusal) {
		t.Errorf("refusals: %v", got)
	}
	if !same(all, warning, grave, refusal) {
		t.Error("the list was changed")
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"main_1.tf-x": "main_1.tf-x", "azAZ09": "azAZ09", "a[": `"a["`, "a`": "\"a`\"", "": `""`, "a b.tf": `"a b.tf"`, "ä.tf": `"ä.tf"`, "a:3": `"a:3"`, "\x1b": `"\x1b"`,
	} {
		if got := FileName(name); got != want {
			t.Errorf("FileName(%q) = %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{"plain ~": "plain ~", "": "", "a\u202eb": `a\u202eb`, "ü": "ü", "\x7f": `\x7f`} {
		if got := Escape(name); got != want {
			t.Errorf("Escape(%q) = %s, want %s", name, got, want)
		}
	}
}

// A location includes the column only if the line alone would be the location of the message.
func TestPlaces(t *testing.T) {
	from := at("main.tf", 3, 1)
	list := []hcl.Range{at("main.tf", 3, 9), at("main.tf", 4, 1), at("my main.tf", 3, 1)}
	for most, want := range map[int]string{
		3: `main.tf:3:9, main.tf:4, "my main.tf":3`, 2: "main.tf:3:9, main.tf:4, … 1 more", 1: "main.tf:3:9, … 2 more",
	} {
		if got := SomePlaces(from, list, most); got != want {
			t.Errorf("%d: %s, want %s", most, got, want)
		}
	}
	if got := Place(list[0]); got != "main.tf:3" {
		t.Errorf("Place = %s", got)
	}
}

func TestArticle(t *testing.T) {
	for noun, want := range map[string]string{
		"block": "A", "argument": "An", "override": "An", "8-line block": "An", "80-line block": "An", "11-line block": "An",
		"18-line block": "An", "11000-line block": "An", "19-line block": "A", "18,000": "An", "110-line block": "A", "1-line block": "A", "7-line": "A", "": "A",
	} {
		if got := Article(noun); got != want {
			t.Errorf("%s %q, want %s", got, noun, want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	if got := DidYouMean("defalt", []string{"type", "default"}); got != ` Did you mean "default"?` {
		t.Errorf("%q", got)
	}
	if got := DidYouMean("colour", []string{"type", "default"}); got != "" {
		t.Errorf("%q for what is like nothing", got)
	}
}

// The first sentence ends at a dot with a blank and a capital behind it, or at the end.
func TestEndOfSentence(t *testing.T) {
	for text, want := range map[string]string{
		"One. Two.": "One", "One. And.": "One", "One. Zero.": "One", "a.\tB": "a.\tB", "a.bC. D": "a.bC", "x. A": "x", "In a.tf. Two": "In a.tf", "See var.x and 1. of 2. Next": "See var.x and 1. of 2", "No stop": "No stop",
		"Ends.": "Ends", "": "", "a. b": "a. b", "Ends with A. ": "Ends with A. ",
	} {
		if got := text[:EndOfSentence(text)]; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Texts that are shown together explain the name of a file once.
func TestTraps(t *testing.T) {
	shown := Traps{}
	for _, c := range []struct{ name, text, want string }{
		{"a_override.tf", "No." + TrapOfName("a_override.tf"), "No." + TrapOfName("a_override.tf")},
		{"a_override.tf", "Nor." + TrapOfName("a_override.tf"), "Nor."},
		{"b_override.tf", "No." + TrapOfName("b_override.tf"), "No." + TrapOfName("b_override.tf")},
		{"a_override.tf", "Plain.", "Plain."},
		{"c_override.tf", "Plain.", "Plain."},
		{"c_override.tf", "No." + TrapOfName("c_override.tf"), "No." + TrapOfName("c_override.tf")},
	} {
		if got := shown.Once(c.name, c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
