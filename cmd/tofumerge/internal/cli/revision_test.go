package cli

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// Reports on revisions are as the schema says, which generated modules don't show.
func TestRevisionSchema(t *testing.T) {
	schema := compileSchema(t, "")
	scripts, err := filepath.Glob("../../../../testdata/script/revision-*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts: ", err)
	}
	for _, script := range scripts {
		archive, err := txtar.ParseFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if filepath.Ext(f.Name) != ".json" {
				continue
			}
			if err := schema.Validate(decode(t, string(f.Data))); err != nil {
				t.Errorf("%s: %s: %v", script, f.Name, err)
			}
		}
	}
}

// The name of a revision ends at the first colon outside of braces.
func TestRevisionIn(t *testing.T) {
	for text, want := range map[string]Rev{
		"git:main":                      {Name: "main"},
		"git:main:":                     {Name: "main", HasDir: true},
		"git:main:a/b":                  {"main", "a/b", true},
		"git:main:a:b":                  {"main", "a:b", true},
		"git:":                          {},
		"git::a":                        {Dir: "a", HasDir: true},
		"git:main@{2024-05-01 10:00}":   {Name: "main@{2024-05-01 10:00}"},
		"git:main@{2024-05-01 10:00}:a": {"main@{2024-05-01 10:00}", "a", true},
		"git:HEAD^{/fix: it}:a":         {"HEAD^{/fix: it}", "a", true},
		"git:}:a":                       {"}", "a", true},
	} {
		got, ok := ParseRev(text)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Rev{})); !ok || diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	for _, text := range []string{"", ".", "./git:main", "github:x", "Git:main"} {
		if _, ok := ParseRev(text); ok {
			t.Errorf("%q is taken for a revision", text)
		}
	}
}
