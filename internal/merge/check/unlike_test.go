package check

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

func TestQualified(t *testing.T) {
	e := engine.Terraform.Newest()
	for text, want := range map[string]string{
		"":                              "; this doesn't hold for " + e.Title(),
		"It is ignored.":                "It is ignored; this doesn't hold for " + e.Title() + ".",
		"See a.tf:3. Remove it.":        "See a.tf:3; this doesn't hold for " + e.Title() + ". Remove it.",
		"aws_a.b in a.tf is set (1.9).": "aws_a.b in a.tf is set (1.9); this doesn't hold for " + e.Title() + ".",
		"can't read it":                 "can't read it; this doesn't hold for " + e.Title(),
	} {
		f := Finding{Unlike: e}
		if got := f.Qualified(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := new(Finding).Qualified(text); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
}

func TestCompare(t *testing.T) {
	at := func(line int) hcl.Range { return hcl.Range{Filename: "a.tf", Start: hcl.Pos{Line: line}} }
	found := []Finding{noEffect.At(at(1), "OpenTofu ignores it."), noEffect.At(at(2), "x"), DeniedOverride.At(at(3), "x")}
	facts := Facts{}
	facts.Note(noEffect.At(at(1), "Terraform ignores it."))
	facts.Note(mergeError.At(at(2), "x"))
	Compare(found, facts, engine.Terraform.Newest())
	for i, want := range []bool{false, true, false} {
		if got := found[i].Unlike.Version != ""; got != want {
			t.Errorf("%s does not hold elsewhere: %v", found[i].Message, got)
		}
	}
	if KeyOf(found[1]) != KeyOf(noEffect.At(at(2), "x")) {
		t.Error("a finding has another key since it does not hold for another engine")
	}
}
