package report

import "testing"

// The paths of both kinds of systems, on every system.
func TestURI(t *testing.T) {
	for _, c := range []struct {
		path      string
		isWindows bool
		want      string
	}{
		{"main.tf", false, "main.tf"},
		{"modules/a b/main.tf", false, "modules/a%20b/main.tf"},
		{"/srv/main.tf", false, "file:///srv/main.tf"},
		{"C:/main.tf", false, "./C:/main.tf"}, // a directory with this name
		{"//srv/main.tf", false, "file:////srv/main.tf"},
		{"main.tf", true, "main.tf"},
		{"../a b/main.tf", true, "../a%20b/main.tf"},
		{"C:/Users/Jo Doe/main.tf", true, "file:///C:/Users/Jo%20Doe/main.tf"},
		{"c:/main.tf", true, "file:///c:/main.tf"},
		{"z:/", true, "file:///z:/"},
		{"[:/main.tf", true, "./%5B:/main.tf"}, // no letter
		{"C:main.tf", true, "./C:main.tf"},     // relative to the directory of the drive
		{"/main.tf", true, "/main.tf"},
		{"//server/share/a#b/main.tf", true, "file://server/share/a%23b/main.tf"},
		{"//?/C:/long/main.tf", true, "file:///C:/long/main.tf"},
		{"//?/UNC/server/share/main.tf", true, "file://server/share/main.tf"},
	} {
		if got := uriOf(c.path, c.isWindows); got != c.want {
			t.Errorf("uriOf(%q, %v) = %q, want %q", c.path, c.isWindows, got, c.want)
		}
	}
}

// Two slashes at the start are the name of a share on Windows, and one elsewhere.
func TestJoinSlashed(t *testing.T) {
	for _, c := range []struct {
		dir       string
		isWindows bool
		want      string
	}{
		{".", false, "main.tf"},
		{"//srv/m", false, "/srv/m/main.tf"},
		{".", true, "main.tf"},
		{"C:/m", true, "C:/m/main.tf"},
		{"//server/share/m/", true, "//server/share/m/main.tf"},
		{"//?/C:/m", true, "//?/C:/m/main.tf"},
	} {
		if got := joinSlashed(c.dir, "main.tf", c.isWindows); got != c.want {
			t.Errorf("joinSlashed(%q, %v) = %q, want %q", c.dir, c.isWindows, got, c.want)
		}
	}
}

// The addresses of pages name the tag of a release, and the main branch for anything else.
func TestTagOf(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.3": "v1.2.3", "v1.2.3": "v1.2.3", "1.2.3-rc.1": "v1.2.3-rc.1", "v1.0.0-beta2": "v1.0.0-beta2",
		"": "main", "(devel)": "main", "1.2.4-SNAPSHOT-abc1234": "main", "v0.0.0-20261122104750-abcdef123456": "main",
		"v1.2.4-0.20261122104750-abcdef123456": "main", "v1.2.3+dirty": "main", "1.2.3/../../evil": "main",
	} {
		if got := tagOf(version); got != want {
			t.Errorf("tagOf(%q) = %q, want %q", version, got, want)
		}
	}
}
