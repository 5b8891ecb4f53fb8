package excerpt

import "testing"

func TestMarked(t *testing.T) {
	text, mark := Marked([]byte("  a = \"\x07ü\""), 6, 5)
	if want := `  a = "\aü"`; text != want {
		t.Errorf("text %q, want %q", text, want)
	}
	if want := "      ^^^^^"; mark != want {
		t.Errorf("mark %q, want %q", mark, want)
	}
}

func TestConceal(t *testing.T) {
	line := []byte(`ab"secret"cd`)
	for _, test := range []struct {
		name               string
		at, length         int
		wantText, wantMark string
	}{
		{"before", 0, 2, `ab(sensitive value)cd`, `^^`},
		{"inside", 4, 2, `ab(sensitive value)cd`, `  ^^^^^^^^^^^^^^^^^`},
		{"across", 1, 11, `ab(sensitive value)cd`, ` ^^^^^^^^^^^^^^^^^^^^`},
		{"behind", 10, 2, `ab(sensitive value)cd`, `                   ^^`},
	} {
		text, mark := Marked(conceal(line, test.at, test.length, [][2]int{{102, 110}}, 100))
		if text != test.wantText || mark != test.wantMark {
			t.Errorf("%s:\n%s\n%s", test.name, text, mark)
		}
	}
}
