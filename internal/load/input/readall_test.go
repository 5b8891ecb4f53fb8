package input

import (
	"io"
	"strings"
	"testing"
)

// pieces is a file that gives its content in several reads.
type pieces []string

func (p *pieces) Read(to []byte) (int, error) {
	if len(*p) == 0 {
		return 0, io.EOF
	}
	n := copy(to, (*p)[0])
	if (*p)[0] = (*p)[0][n:]; (*p)[0] == "" {
		*p = (*p)[1:]
	}
	return n, nil
}

// Whatever size a file reports, all of it is read up to the limit. Reading stops early only after a
// read that returns exactly that size although more was requested.
func TestReadAll(t *testing.T) {
	for _, c := range []struct {
		given string // pieces with a blank between them
		size  int64
		want  string
	}{
		{"", 0, ""},
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abc more", 3, "abc"}, // the file was written to meanwhile
		{"abcd", 3, "abcd"},
		{"abcdefghij", 3, "abcdefghij"},
		{"ab c", 3, "abc"},
		{"a b c", 3, "abc"},
		{"a b", 3, "ab"},
		{"a b c", 0, "abc"},
	} {
		given := pieces(strings.Fields(c.given))
		if got, err := readAll(&given, c.size, 100); string(got) != c.want || err != nil {
			t.Errorf("%q of size %d: %q, %v, want %q", c.given, c.size, got, err, c.want)
		}
	}
	given := pieces{"abcd", "efgh"}
	if _, err := readAll(&given, 2, 6); err == nil || err.Error() != "it is larger than 6 bytes" {
		t.Errorf("got %v, want a refusal of its size", err)
	}
}
