package report

import (
	"fmt"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

func errorAt(file string, line int, detail string) *hcl.Diagnostic {
	at := hcl.Range{Filename: file, Start: hcl.Pos{Line: line, Column: 1}}
	return diag.New(at, "Wrong", "%s", detail)
}

// Equal errors are shown three times, whatever file they are in; the third lists the locations of
// the others.
func TestGrouped(t *testing.T) {
	var diags hcl.Diagnostics
	for line := 1; line <= 20; line++ {
		diags = append(diags, errorAt("a.tf", line, "equal"), errorAt("b.tf", line, "equal"))
	}
	diags = append(diags, errorAt("a.tf", 0, "equal"), errorAt("a.tf", 1, "another"))
	groups := Grouped(append(diags, diags...)[:len(diags)+1])
	if len(groups) != maxInFull+2 {
		t.Fatalf("%d groups, want %d", len(groups), maxInFull+2)
	}
	third := groups[2]
	if len(third.Also) != maxPlaces || third.More != 40-maxInFull-maxPlaces || third.count() != 40-maxInFull+1 {
		t.Errorf("the third one has %d places and %d more", len(third.Also), third.More)
	}
	if at := third.Also[0]; at.Subject.Filename != "b.tf" || at.Subject.Start.Line != 2 {
		t.Errorf("the first of the other places is %v, want b.tf:2", at)
	}
}

// Names may differ, locations may not.
func TestWithoutNames(t *testing.T) {
	for _, test := range []struct {
		a, b  string
		equal bool
	}{
		{"Nothing declares aws_instance.web, so add it.", "Nothing declares data.aws_ami.x[0].y, so add it.", true},
		{`An argument named "a b" is not expected.`, `An argument named "\"" is not expected.`, true},
		{"Set it at main.tf:3.", "Set it at main.tf:4.", false},
		{"Set it at main.tf:3.", "Set it at other.tf:3.", false},
		{"Remove it. Then go on.", "Remove this. Then go on.", false},
		{"OpenTofu 1.8 and later", "OpenTofu 1.9 and later", false},
	} {
		if got := withoutNames(test.a) == withoutNames(test.b); got != test.equal {
			t.Errorf("%q and %q are equal: %v", test.a, test.b, got)
		}
	}
}

// Diagnostics with different related ranges are not equal.
func TestGroupedRelated(t *testing.T) {
	var diags hcl.Diagnostics
	for line := 1; line <= 9; line++ {
		d := errorAt("a.tf", line, "equal")
		diags = append(diags, diag.WithRelated(diag.Related{Note: "declared here", Range: hcl.Range{Filename: "b.tf", Start: hcl.Pos{Line: line}}}, d))
	}
	if n := len(Grouped(diags)); n != 9 {
		t.Errorf("%d groups, want 9", n)
	}
}

// The total of a file's hidden diagnostics includes those that its groups represent.
func TestGroupedBounds(t *testing.T) {
	var diags hcl.Diagnostics
	for i := range maxErrorsAlike {
		diags = append(diags, errorAt("a.tf", i+1, fmt.Sprint("differs ", i)))
	}
	for i := range 100 {
		diags = append(diags, errorAt("a.tf", i+100, "equal"))
	}
	groups := Grouped(diags)
	want := "100 more errors like this in this file are not shown."
	if last := groups[len(groups)-1]; last.Detail != want {
		t.Errorf("the last one says %q, want %q", last.Detail, want)
	}
}

// The number of the rest names the file only if there is one.
func TestMoreOf(t *testing.T) {
	for want, kind := range map[string]boundKey{
		"1 more error like this is not shown.":                {true, "", "Wrong"},
		"1 more warning like this in this file is not shown.": {false, "a.tf", "Wrong"},
		"1 other warning in this file is not shown.":          {false, "a.tf", ""},
	} {
		d := moreOf(kind, 1)
		if d.Detail != want || (d.Subject != nil) != (kind.file != "") {
			t.Errorf("%q at %v, want %q", d.Detail, d.Subject, want)
		}
	}
	if got, want := moreOf(boundKey{isError: true}, 2), "2 other errors are not shown."; got.Detail != want || got.Summary != "More errors" {
		t.Errorf("%s: %q, want %q", got.Summary, got.Detail, want)
	}
}
