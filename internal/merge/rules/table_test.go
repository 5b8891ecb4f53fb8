package rules

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A row whose block has none would be lost: the table is made from the outside in.
func TestEveryPatternIsInTheTable(t *testing.T) {
	for _, row := range slices.Concat(settingRules, resourceRules) {
		for _, path := range pathsOf(row.Path) {
			if !slices.ContainsFunc(All(), func(r *Rule) bool { return r.Path == path && r.Why == row.Why }) {
				t.Errorf("All lacks a row of %s", path)
			}
		}
	}
}

func TestTreeOrder(t *testing.T) {
	var got []string
	for _, r := range inTreeOrder(rowsOf([]Rule{{Path: "*"}, {Path: "b"}, {Path: "a"}, {Path: "a"}, {Path: "{a,b}/x"}, {Path: "a/{y,z}"}, {Path: "a/x/q"}})) {
		got = append(got, r.Path)
	}
	if diff := cmp.Diff([]string{"*", "b", "b/x", "a", "a", "a/x", "a/x/q", "a/y", "a/z"}, got); diff != "" {
		t.Error(diff)
	}
}
