package judge

import (
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
)

// TestIsPlainConstraint compares isPlainConstraint with the package that engines use, for all short
// texts, and requires it to accept the usual constraints.
func TestIsPlainConstraint(t *testing.T) {
	plain := 0
	var try func(text string, more int)
	try = func(text string, more int) {
		if isPlainConstraint(text) {
			plain++
			if _, err := version.NewConstraint(text); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
		if more > 0 {
			for _, c := range " ,.=!<>~10v-" {
				try(text+string(c), more-1)
			}
		}
	}
	try("", 5)
	try("999999999.", 3)
	if plain < 1000 {
		t.Errorf("only %d texts count", plain)
	}
	for _, usual := range []string{"5.1.2", "= 1.0", "~> 4.0", "~>3", ">= 1.2.0, < 2.0.0", "!=1.1"} {
		if !isPlainConstraint(usual) {
			t.Errorf("%q does not count", usual)
		}
	}
	for _, doubtful := range []string{"", "v1", "1.0-beta", "=> 1", "1 2", strings.Repeat("9", 20)} {
		if isPlainConstraint(doubtful) {
			t.Errorf("%q counts", doubtful)
		}
	}
}
