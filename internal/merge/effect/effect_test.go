package effect

import "testing"

func TestKinds(t *testing.T) {
	for k, want := range map[Kind]struct {
		lost, ends Status
		part       string
	}{
		Defined:  {"", "", "declared"},
		Added:    {"", StatusReplaced, "added"},
		Hidden:   {"", StatusHidden, ""},
		Ignored:  {StatusNoEffect, "", ""},
		Matched:  {StatusMatched, "", ""},
		Missing:  {StatusMissingBase, "", ""},
		Extended: {"", "", "merged"},
	} {
		if k.Lost() != want.lost || k.Ends() != want.ends || k.OfBlock() != want.part {
			t.Errorf("%s: lost %q, ends %q, of a block %q", k, k.Lost(), k.Ends(), k.OfBlock())
		}
	}
}

func TestStatuses(t *testing.T) {
	for s, want := range map[Status]Mark{StatusEffective: MarkInForce, StatusReplaced: "", StatusUndecided: MarkNoEffect, StatusMissingBase: MarkRefused} {
		if s.Mark() != want || s.Words() == "" {
			t.Errorf("%s: %q, mark %q", s, s.Words(), s.Mark())
		}
	}
}

func TestVerbs(t *testing.T) {
	for v, want := range map[Verb]string{Adds: "+", Removes: "-", Overrides: "~", IsRefused: "!"} {
		if v.Symbol() != want {
			t.Errorf("%s: %s", v, v.Symbol())
		}
	}
}
