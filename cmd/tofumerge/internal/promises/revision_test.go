package promises_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// Reports about revisions match the schema, including parts that generated modules don't show.
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
