package relocate_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/relocate"
)

func newMapper() *relocate.Mapper {
	return &relocate.Mapper{Copy: "/tmp/copy", Original: "/home/me", Find: func(p relocate.Place) (relocate.Place, bool, bool) {
		if strings.TrimPrefix(p.Name, "/tmp/copy/") != "main.tf" {
			return p, false, false
		}
		return relocate.Place{Name: strings.TrimSuffix(p.Name, "main.tf") + "a_override.tf", Line: p.Line + 10}, true, p.Line < 5
	}}
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"main.tf:1:5: bad, main.tf:2\n":            "a_override.tf:11:5: bad, a_override.tf:12\n",
		"  on main.tf line 3, in x:\nother.tf:1\n": "  on a_override.tf line 13, in x:\nother.tf:1\n",
		"/tmp/copy/main.tf:1 in /tmp/copy/x":       "/home/me/a_override.tf:11 in /home/me/x",
		"main.tf:9 \xff\x00\r\n":                   "main.tf:9 \xff\x00\r\n",
		"xmain.tf:1 main.tf main.tf:x\n":           "xmain.tf:1 main.tf main.tf:x\n",
	} {
		for _, step := range []int{1, 7, len(text)} {
			var out bytes.Buffer
			w := newMapper().NewWriter(&out)
			for at := 0; at < len(text); at += step {
				if _, err := w.Write([]byte(text[at:min(len(text), at+step)])); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil || out.String() != want {
				t.Errorf("%q becomes %q, not %q (%v)", text, out.String(), want, err)
			}
		}
	}
	m := newMapper()
	if m.Line([]byte("main.tf:9")); m.Unmapped != 1 {
		t.Errorf("%d are not mapped", m.Unmapped)
	}
}

// TestLongLine checks that a line without an end takes no more memory than a short one.
func TestLongLine(t *testing.T) {
	var out bytes.Buffer
	w := newMapper().NewWriter(&out)
	piece := bytes.Repeat([]byte("main.tf:1 "), 1<<14)
	for range 64 {
		if _, err := w.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	if n := out.Len(); n < 60*len(piece)-1<<21 {
		t.Errorf("only %d bytes were passed on", n)
	}
	if _, err := w.Write([]byte("\nmain.tf:1\n")); err != nil || !strings.HasSuffix(out.String(), "main.tf:1 \na_override.tf:11\n") {
		t.Errorf("the next line is %q (%v)", out.String()[out.Len()-40:], err)
	}
}
