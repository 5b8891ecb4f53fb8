package promises_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

const schemaFile = "../../../../docs/report.schema.json"

// compileSchema reads a part of the schema.
func compileSchema(t *testing.T, part string) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile + part)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func decode(t testing.TB, text string) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return value
}

// Schema: every report of every command matches docs/report.schema.json, even on modules that the
// engine refuses, if there is a report.
func TestReportSchema(t *testing.T) {
	schema := compileSchema(t, "")
	under := map[string]*jsonschema.Schema{
		"--annotate": compileSchema(t, "#/$defs/marks"), "--annotate=full": compileSchema(t, "#/$defs/provenance"),
	}
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		for _, args := range [][]string{{"list", "--json"}, {"diff", "--json"}, {"diff", "--json", "--redact"}, {"changes", "--json"}, {"explain", "--all", "--json", "-C"}, {"check", "--format", "json"}, {"list", "--json", "-r"}, {"diff", "--json", "-r"}, {"changes", "--json", "-r"}, {"list", "--json", "--modules"}, {"changes", "--json", "--modules"}, {"check", "--json", "--modules"}, {"explain", "--all", "--json", "--modules"}} {
			got := runOn(tb, files, args...)
			if got.out == "" {
				continue
			}
			if err := schema.Validate(decode(tb, got.out)); err != nil {
				rt.Errorf("%v: %v\n%s", args, err, got.out)
			}
		}
		for flag, said := range under {
			annotated := runOn(tb, files, "--json", flag)
			if annotated.out == "" {
				return
			}
			eachProvenance(decode(tb, annotated.out), func(v any) {
				if err := said.Validate(v); err != nil {
					rt.Errorf("%s: %v\n%s", flag, err, annotated.out)
				}
			})
		}
	})
}

// eachProvenance visits the objects under "//", which generated modules themselves never contain.
func eachProvenance(v any, visit func(any)) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			eachProvenance(e, visit)
		}
	case map[string]any:
		for name, e := range v {
			if name == "//" {
				visit(e)
			} else {
				eachProvenance(e, visit)
			}
		}
	}
}

// TestSchemaIsUsed fails if the schema describes something that no script shows: each property and
// each value of an enumeration occurs in the expected output of one.
func TestSchemaIsUsed(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	shown := expectedOutputs(t)
	for name, def := range schema.Defs {
		eachName(def, func(word, kind string) {
			if !strings.Contains(shown, fmt.Sprintf(`"%s"`, word)) {
				t.Errorf("no script shows the %s %q of %s", kind, word, name)
			}
		})
	}
}

// eachName visits the names of properties and the values of enumerations.
func eachName(v any, visit func(word, kind string)) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			eachName(e, visit)
		}
	case map[string]any:
		if properties, ok := v["properties"].(map[string]any); ok {
			for name := range properties {
				visit(name, "property")
			}
		}
		if words, ok := v["enum"].([]any); ok {
			for _, word := range words {
				visit(word.(string), "value")
			}
		}
		for _, e := range v {
			eachName(e, visit)
		}
	}
}

// expectedOutputs is everything that scripts, and cases of packages, expect to be
// printed as JSON.
func expectedOutputs(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	for _, dir := range []string{"../../../../testdata", "../../../../internal"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".txtar" {
				return err
			}
			archive, err := txtar.ParseFile(path)
			if err != nil {
				return err
			}
			for _, f := range archive.Files {
				if strings.Contains(string(f.Data), `"format_version"`) {
					out.Write(f.Data)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}
