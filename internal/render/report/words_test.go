package report

import (
	"strings"
	"testing"
)

// Each reason for skipping a directory has a separate total.
func TestSkipped(t *testing.T) {
	for _, test := range []struct {
		s    SkipCounts
		want string
	}{
		{SkipCounts{}, ""},
		{SkipCounts{Excluded: 1, Caches: 3, Links: 1}, "1 directory skipped by --exclude; " +
			"3 .terraform or .terragrunt-cache directories skipped; 1 link to a directory elsewhere not followed"},
	} {
		if got := test.s.String(); got != test.want {
			t.Errorf("%+v is %q, want %q", test.s, got, test.want)
		}
	}
}

// Where texts begin to differ is a column of one line, or a line of several.
func TestWhereDifferent(t *testing.T) {
	for _, test := range []struct {
		before, after, where string
		at                   int
	}{
		{"abc", "abc", "", 0}, {"abc", "abd", "column 3", 2}, {"ab", "abc", "column 3", 2}, {"aä", "aö", "column 2", 1},
		{"a\nb\nc", "a\nb\nd", "line 3", 4}, {"a\nb", "a\nb\n", "", 0}, {"a\r\nb", "a\nc", "line 2", 3},
		{"<<E\na\nb\nE", "<<E\na\nc\nE", "line 2", 6}, {"<<-E\n  a\n  E", "<<-E\n    a\n    E", "", 0}, {"<<A\na\nA", "<<B\nb\nB", "line 1", 4},
	} {
		if where, at := firstDifference([]byte(test.before), []byte(test.after)); where != test.where || at != test.at {
			t.Errorf("%q and %q differ from %q on, at %d", test.before, test.after, where, at)
		}
	}
	text := strings.Repeat("a", 100)
	if got, want := excerptAround([]byte(text), 50), "…"+strings.Repeat("a", 50)+"…"; got != want {
		t.Errorf("shown is %q", got)
	}
	if got, want := excerptAround([]byte("x\nabc\ny"), 3), "…abc…"; got != want {
		t.Errorf("shown is %q", got)
	}
}
