package safetext

import "testing"

func TestPrintable(t *testing.T) {
	if got, want := Printable("a\x1b[31m\tb\u202e\nü"), `a\x1b[31m b\u202e`+"\nü"; got != want {
		t.Errorf("Printable = %q, want %q", got, want)
	}
}
