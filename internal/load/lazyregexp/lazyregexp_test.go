package lazyregexp

import "testing"

// An expression is compiled once, on first use.
func TestNew(t *testing.T) {
	word := New(`^\w+$`)
	if !word().MatchString("word") || word().MatchString("two words") {
		t.Error("another expression comes back")
	}
	if first, again := word(), word(); first != again {
		t.Error("it is compiled again")
	}
	broken := New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("an expression that can't be compiled is no panic")
		}
	}()
	broken()
}
