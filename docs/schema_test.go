package docs_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaFile = "report.schema.json"

// schemaParts are the parts of the schema that describe what a command prints, by a word among its
// arguments; the last one is for render.
var schemaParts = []struct{ word, part string }{
	{"--list-rules", "rules"}, {"--show-settings", "settings"},
	{"check", "report"}, {"list", "report"}, {"diff", "report"}, {"changes", "report"}, {"explain", "report"},
	{"version", "version"}, {"-version", "version"}, {"extract", "configuration"},
	{"", "configuration"},
}

// outputs are what scripts had the program write as JSON, each after a line with its arguments. The test of
// the scripts runs the tests of them.
func outputs(t *testing.T) (list [][2][]byte) {
	t.Helper()
	dir := os.Getenv("RECORDING")
	if dir == "" {
		t.Skip("the test of the scripts records what they write, and runs this test")
	}
	files, err := filepath.Glob(filepath.Join(dir, "output-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		args, text, _ := bytes.Cut(text, []byte("\n"))
		list = append(list, [2][]byte{args, text})
	}
	return list
}

// Each output is as its part of the schema describes it.
func TestOutputs(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for _, p := range schemaParts {
		schema, err := jsonschema.NewCompiler().Compile(schemaFile + "#/$defs/" + p.part)
		if err != nil {
			t.Fatal(err)
		}
		schemas[p.part] = schema
	}
	isOf := func(args []byte, value any) bool {
		for _, p := range schemaParts {
			if p.word == "" || bytes.Contains(args, []byte(`"`+p.word+`"`)) {
				return schemas[p.part].Validate(value) == nil
			}
		}
		return false
	}
	for _, o := range outputs(t) {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(o[1]))
		if err != nil || isSARIF(value) {
			continue // text or nothing, or another schema's
		}
		if !isOf(o[0], value) {
			t.Errorf("%s: no part of the schema describes\n%s", o[0], o[1])
		}
	}
}

func isSARIF(value any) bool {
	report, isReport := value.(map[string]any)
	return isReport && report["$schema"] != nil
}

// The schema describes nothing that no script shows: each property and each value of an enumeration occurs
// in the output of one.
func TestOutputsAreAll(t *testing.T) {
	var shown strings.Builder
	for _, o := range outputs(t) {
		if value, err := jsonschema.UnmarshalJSON(bytes.NewReader(o[1])); err == nil && !isSARIF(value) {
			shown.Write(o[1])
		}
	}
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
	ofReleases := []string{"commit", "date"}
	for name, def := range schema.Defs {
		eachName(def, func(word, kind string) {
			if !strings.Contains(shown.String(), `"`+word+`"`) && !slices.Contains(ofReleases, word) {
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
