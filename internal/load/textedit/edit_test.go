package textedit

import "testing"

func TestRelocate(t *testing.T) {
	for _, test := range []struct{ text, from, to, eol, want string }{
		{"a = 1", "  ", "\t", "\n", "a = 1"},
		{"a = {\n    b = 1\n  }", "  ", "\t", "\n", "a = {\n\t  b = 1\n\t}"},
		{"a = {\n}", "", "  ", "\r\n", "a = {\r\n  }"},
		{"a = {\r\n}", "", "  ", "\n", "a = {\n  }"},
		{"a = <<E\nx\nE", "", "    ", "\r\n", "a = <<E\nx\nE"},
		{"a = [<<E\n x\nE\n]", "", "  ", "\r\n", "a = [<<E\n x\nE\r\n  ]"},
		{"\nb", "", "  ", "\r\n", "\r\n  b"},
		{"\n\n", "", "  ", "\n", "\n\n"},
		{"a = [<<E\n${<<F\n x\nF\n}\n y\nE\n]", "", "  ", "\r\n", "a = [<<E\n${<<F\n x\nF\n}\n y\nE\r\n  ]"},
		{"\tb\n x", "\t", "  ", "\n", "\tb\n  x"},
	} {
		if got := Relocate([]byte(test.text), test.from, test.to, test.eol); got != test.want {
			t.Errorf("relocate(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

func TestSplice(t *testing.T) {
	src := []byte("0123456789")
	got := string(Apply(src, 1, 9, []Edit{Replace(6, 8, ""), Replace(3, 3, "a"), Replace(3, 4, "b"), Replace(7, 9, "")}))
	if want := "12ab45"; got != want {
		t.Errorf("splice = %q, want %q", got, want)
	}
}
