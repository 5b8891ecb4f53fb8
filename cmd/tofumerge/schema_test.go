package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaFile = "../../docs/report.schema.json"

// recording is the variable that names the directory of what scripts have the program write as JSON.
const recording = "RECORDING"

// recorded runs the program, and keeps its arguments with the JSON that it prints or writes as a source
// map. Of what it prints, it keeps only what goes to a pipe: files, terminals and devices are what some
// scripts are about.
func recorded(run func() int) int {
	dir, out, args := os.Getenv(recording), os.Stdout, os.Args[1:]
	info, err := out.Stat()
	isJSON := slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, "json") })
	if dir == "" || !isJSON || err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return run()
	}
	kept, err := os.CreateTemp(dir, "output-")
	if err != nil {
		panic(err)
	}
	defer kept.Close()
	os.Stdout = kept
	status := run()
	text, err := os.ReadFile(kept.Name())
	_, printed := out.Write(text)
	if at := slices.Index(args, "--source-map") + 1; at > 0 && at < len(args) && (args[0] == "flatten" || args[0] == "render") {
		text, _ = os.ReadFile(args[at])
	}
	written := os.WriteFile(kept.Name(), fmt.Appendf(nil, "%q\n%s", args, text), 0o666)
	if err := errors.Join(err, printed, written); err != nil {
		panic(err)
	}
	return status
}

// recordOutputs records what scripts have the program write as JSON, and holds it against the schema
// once they have run.
func recordOutputs(t *testing.T, p *testscript.Params) {
	dir, setUp := t.TempDir(), p.Setup
	p.Setup = func(env *testscript.Env) error {
		env.Setenv(recording, dir)
		return setUp(env)
	}
	t.Cleanup(func() {
		shown := validateOutputs(t, dir)
		isOne := func(arg string) bool { return strings.HasPrefix(arg, "-test.run=") && strings.Contains(arg, "/") }
		if !slices.ContainsFunc(os.Args, isOne) && !isWindows {
			checkSchemaIsUsed(t, shown)
		}
	})
}

// schemaParts are the parts of the schema that describe what a command writes, by a word among its
// arguments; the last ones are for render and flatten.
var schemaParts = []struct{ word, parts string }{
	{"--list-rules", "rules"}, {"--show-settings", "settings"},
	{"check", "report"}, {"list", "report"}, {"diff", "report"}, {"changes", "report"}, {"explain", "report"},
	{"version", "version"}, {"-version", "version"}, {"extract", "configuration"},
	{"", "configuration tree source_map"},
}

// validateOutputs holds each output against its part of the schema, and returns all of them.
func validateOutputs(t *testing.T, dir string) (all string) {
	schemas := map[string]*jsonschema.Schema{}
	for _, p := range schemaParts {
		for part := range strings.FieldsSeq(p.parts) {
			schema, err := jsonschema.NewCompiler().Compile(schemaFile + "#/$defs/" + part)
			if err != nil {
				t.Fatal(err)
			}
			schemas[part] = schema
		}
	}
	isOf := func(args []byte, value any) bool {
		for _, p := range schemaParts {
			if p.word == "" || bytes.Contains(args, []byte(`"`+p.word+`"`)) {
				return slices.ContainsFunc(strings.Fields(p.parts), func(part string) bool { return schemas[part].Validate(value) == nil })
			}
		}
		return false
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
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		switch report, isReport := value.(map[string]any); {
		case err != nil: // text or nothing
		case isReport && report["$schema"] != nil: // SARIF
		case !isOf(args, value):
			t.Errorf("%s: no part of the schema describes\n%s", args, text)
		default:
			all += string(text)
		}
	}
	return all
}

// checkSchemaIsUsed fails if the schema describes something that no script shows: each property and each
// value of an enumeration occurs in the output of one.
func checkSchemaIsUsed(t *testing.T, shown string) {
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
			if !strings.Contains(shown, `"`+word+`"`) && !slices.Contains(ofReleases, word) {
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
