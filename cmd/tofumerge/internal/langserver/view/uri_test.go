package view

import "testing"

// File URIs convert to paths and back, on Windows and on other systems. However a client
// spells the URI, the path has one spelling.
func TestURIs(t *testing.T) {
	for _, c := range []struct {
		uri       string
		isWindows bool
		path      string // empty if the URI names no file
		back      string // the URI of the path; empty if it is the same
	}{
		{"file:///a/b.tf", false, "/a/b.tf", ""},
		{"file:///a%20b/%C3%A4%23%3F%25.tf", false, "/a b/ä#?%.tf", "file:///a%20b/%C3%A4%23%3F%25.tf"},
		{"file:///a/%62.tf", false, "/a/b.tf", "file:///a/b.tf"},
		{"file:///a//c/../b.tf", false, "/a/b.tf", "file:///a/b.tf"},
		{"FILE:///a/b.tf", false, "/a/b.tf", "file:///a/b.tf"},
		{"file://localhost/a/b.tf", false, "/a/b.tf", "file:///a/b.tf"},
		{"file:/a/b.tf", false, "/a/b.tf", "file:///a/b.tf"},
		{"file:///c%3A/b.tf", false, "/c:/b.tf", "file:///c:/b.tf"},
		{"file:///a/b.tf?x#y", false, "/a/b.tf", "file:///a/b.tf"},
		{"file://server/a/b.tf", false, "", ""},
		{"file:///a%00b", false, "", ""},
		{"file:///a%zz", false, "", ""},
		{"file:a.tf", false, "", ""},
		{"untitled:Untitled-1", false, "", ""},
		{"git:/a/b.tf?%7B%22ref%22%3A%22~%22%7D", false, "", ""},
		{"vscode-vfs://github/a/b.tf", false, "", ""},
		{"a/b.tf", false, "", ""},
		{"", false, "", ""},
		{"file:///c:/a/b.tf", true, "C:/a/b.tf", "file:///C:/a/b.tf"},
		{"file:///c%3A/a/b.tf", true, "C:/a/b.tf", "file:///C:/a/b.tf"},
		{"file:///C:/a/./b.tf", true, "C:/a/b.tf", "file:///C:/a/b.tf"},
		{"file://server/share/b.tf", true, "//server/share/b.tf", ""},
		{"file:///a/b.tf", true, "", ""},
		{"file:///", true, "", ""},
	} {
		path, ok := pathOf(c.uri, c.isWindows)
		if path = map[bool]string{true: path}[ok]; path != c.path {
			t.Errorf("%s: path %q, want %q", c.uri, path, c.path)
		}
		if c.path == "" {
			continue
		}
		back := c.back
		if back == "" {
			back = c.uri
		}
		if got := string(uriOf(c.path, c.isWindows)); got != back {
			t.Errorf("%s: URI %q, want %q", c.path, got, back)
		}
	}
}
