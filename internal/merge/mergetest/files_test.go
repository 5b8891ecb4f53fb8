package mergetest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// A default means its value by the type of its variable.
func TestMeaningOfDefaults(t *testing.T) {
	of := func(arguments string) []string { return mergetest.Meaning(t, "variable \"v\" {\n"+arguments+"\n}\n") }
	if diff := cmp.Diff(of("type = string\ndefault = 1"), of("default = \"1\"\ntype = string")); diff != "" {
		t.Errorf("a number and its text under type = string: %s", diff)
	}
	for _, typ := range []string{"", "type = any\n", "type = list(string)\n"} {
		if cmp.Equal(of(typ+"default = 1"), of(typ+"default = \"1\"")) {
			t.Errorf("with %q a number and its text mean the same", typ)
		}
	}
}
