package replace

import "testing"

// The names of devices aren't names for files on Windows; everywhere else they are.
func TestReserved(t *testing.T) {
	for name, want := range map[string]bool{
		"con": true, "NUL": true, "aux.tf": true, "Com1.tar.gz": true, "lpt9": true, "COM¹": true, "prn .tf": true,
		"console.tf": false, "com.tf": false, "com10": false, "main.con": false, "null": false,
	} {
		if got := isReserved(name); got != want {
			t.Errorf("isReserved(%q) = %v, want %v", name, got, want)
		}
	}
	for _, c := range []struct {
		path      string
		isWindows bool
		isRefused bool
	}{
		{"out/con.tf", true, true}, {"NUL", true, false}, {"out.tf", true, false}, {"out/con.tf", false, false},
	} {
		if err := checkName(c.path, c.isWindows); (err != nil) != c.isRefused {
			t.Errorf("checkName(%q, %v) = %v", c.path, c.isWindows, err)
		}
	}
}
