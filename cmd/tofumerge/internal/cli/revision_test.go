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
	for text, want := range map[string]revisionName{
		"git:main":                      {rev: "main"},
		"git:main:":                     {rev: "main", hasDir: true},
		"git:main:a/b":                  {"main", "a/b", true},
		"git:main:a:b":                  {"main", "a:b", true},
		"git:":                          {},
		"git::a":                        {dir: "a", hasDir: true},
		"git:main@{2024-05-01 10:00}":   {rev: "main@{2024-05-01 10:00}"},
		"git:main@{2024-05-01 10:00}:a": {"main@{2024-05-01 10:00}", "a", true},
		"git:HEAD^{/fix: it}:a":         {"HEAD^{/fix: it}", "a", true},
		"git:}:a":                       {"}", "a", true},
	} {
		got, ok := revisionIn(text)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(revisionName{})); !ok || diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	for _, text := range []string{"", ".", "./git:main", "github:x", "Git:main"} {
		if _, ok := revisionIn(text); ok {
			t.Errorf("%q is taken for a revision", text)
		}
	}
}
