package diag

import "testing"

// The separator of directories on Windows starts an escape sequence elsewhere. It is doubled except
// on Windows.
func TestEscape(t *testing.T) {
	for _, c := range []struct{ name, want, onWindows string }{
		{`C:\new\table`, `C:\\new\\table`, `C:\new\table`},
		{`\\?\C:\m`, `\\\\?\\C:\\m`, `\\?\C:\m`},
		{"a\nb", `a\nb`, `a\nb`},
		{"a\\\nb", `a\\\nb`, `a\\nb`},
		{"a\x1b[31m\"b\"", `a\x1b[31m"b"`, `a\x1b[31m"b"`},
	} {
		if got := escape(c.name, false); got != c.want {
			t.Errorf("%q: %s, want %s", c.name, got, c.want)
		}
		if got := escape(c.name, true); got != c.onWindows {
			t.Errorf("%q on Windows: %s, want %s", c.name, got, c.onWindows)
		}
	}
}
