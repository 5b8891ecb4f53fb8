package promises_test

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
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
		for _, args := range [][]string{{"list", "--json"}, {"diff", "--json"}, {"diff", "--json", "--redact"}, {"changes", "--json"}, {"explain", "--all", "--json", "-C"}, {"check", "--format", "json"}, {"list", "--json", "-r"}, {"diff", "--json", "-r"}, {"changes", "--json", "-r"}} {
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
