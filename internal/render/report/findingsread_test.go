package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"go/build"
	"io"
	"net/url"
	"os"
	gopath "path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/joshdk/go-junit"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// The formats of findings as other programs read them. Each reader below is another program's, or
// follows another program's documentation.

// A reading is the part of a finding that every format contains.
type reading struct {
	rule, path string
	line       int
}

// sarifSchema is the schema of SARIF 2.1.0, as in the source of a package that reads logs. That
// package validates only its own output, and takes a client for HTTP along.
var sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	pkg, err := build.Import("github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif", ".", build.FindOnly)
	if err != nil {
		return nil, err
	}
	source, err := os.ReadFile(filepath.Join(pkg.Dir, "schema.go"))
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Split(string(source), "`")[1]))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", document); err != nil {
		return nil, err
	}
	return c.Compile("sarif.json")
})

// A sarifRun is the part of a log that tests read.
type sarifRun struct {
	Tool struct {
		Driver struct{ Rules []struct{ ID string } }
	}
	Results []struct {
		RuleID    string
		RuleIndex int
		Locations []struct {
			PhysicalLocation struct {
				ArtifactLocation struct{ URI string }
				Region           *struct{ StartLine int }
			}
		}
		PartialFingerprints map[string]string
		Suppressions        []any
		Fixes               []struct {
			ArtifactChanges []struct {
				Replacements []struct{ DeletedRegion struct{ EndLine int } }
			}
		}
	}
}

// readSARIF holds a log against the schema and reads its only run.
func readSARIF(t testing.TB, text string) sarifRun {
	t.Helper()
	schema, err := sarifSchema()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := schema.Validate(document); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var log struct{ Runs []sarifRun }
	if err := json.Unmarshal([]byte(text), &log); err != nil || len(log.Runs) != 1 {
		t.Fatalf("%v\n%s", err, text)
	}
	return log.Runs[0]
}

func sarifPlaces(t testing.TB, text string) []reading {
	var list []reading
	run := readSARIF(t, text)
	for _, r := range run.Results {
		if got := run.Tool.Driver.Rules[r.RuleIndex].ID; got != r.RuleID {
			t.Errorf("the index of %s is that of %s", r.RuleID, got)
		}
		physical := r.Locations[0].PhysicalLocation
		uri, err := url.Parse(physical.ArtifactLocation.URI)
		if err != nil || uri.RawQuery != "" || uri.Fragment != "" || uri.Host != "" {
			t.Errorf("%q is no reference to a file: %v", physical.ArtifactLocation.URI, err)
			continue
		}
		line := 0
		if physical.Region != nil {
			line = physical.Region.StartLine
		}
		list = append(list, reading{r.RuleID, uri.Path, line})
	}
	return list
}

// githubCommand is the grammar of a workflow command; properties and text are
// escaped.
var githubCommand = regexp.MustCompile(`^::(error|warning|notice) ([^\n\r]*?)::([^\n\r]*)$`)

// githubPlaces reads commands as the runner does: a line at a time, the part before the second "::"
// is split at each comma, then at the first equals sign, then unescaped, per cent signs last.
func githubPlaces(t testing.TB, text string) []reading {
	var list []reading
	for line := range strings.Lines(text) {
		m := githubCommand.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			t.Errorf("%q is no workflow command", line)
			continue
		}
		properties := map[string]string{}
		for pair := range strings.SplitSeq(m[2], ",") {
			name, value, ok := strings.Cut(pair, "=")
			if !ok {
				t.Errorf("%q is no property", pair)
			}
			properties[name] = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(value)
		}
		_, hasColumn := properties["col"]
		if hasColumn && properties["line"] != properties["endLine"] {
			t.Errorf("%q has columns, but goes over lines", line)
		}
		at, _ := strconv.Atoi(properties["line"])
		list = append(list, reading{properties["title"], properties["file"], at})
	}
	return list
}

// decodeXML decodes a document that must be well-formed to its end.
func decodeXML(t testing.TB, text string, into any) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(text))
	err := dec.Decode(into)
	if err == nil {
		_, err = dec.Token()
	}
	for err == nil {
		_, err = dec.Token()
	}
	if err != io.EOF {
		t.Fatalf("%v\n%s", err, text)
	}
}

var junitName = regexp.MustCompile(`^([a-z-]+) at (.*?)(?::(\d+))?$`)

func junitPlaces(t testing.TB, text string, whole map[string]bool) []reading {
	t.Helper()
	decodeXML(t, text, &struct{ XMLName xml.Name }{})
	suites, err := junit.Ingest([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var list []reading
	for _, suite := range suites {
		if fmt.Sprint(suite.Totals.Tests, suite.Totals.Failed) != suite.Properties["tests"]+" "+suite.Properties["failures"] {
			t.Errorf("suite %q has totals %v and says %v", suite.Name, suite.Totals, suite.Properties)
		}
		for _, test := range suite.Tests {
			if test.Classname != suite.Name {
				t.Errorf("classname %q in suite %q", test.Classname, suite.Name)
			}
			if test.Status == junit.StatusSkipped || !junitName.MatchString(test.Name) {
				continue
			}
			list = append(list, junitPlace(t, test.Name, whole))
		}
	}
	return list
}

// junitPlace splits the name of a test. Only the report reveals whether a number at its end is a
// line.
func junitPlace(t testing.TB, name string, whole map[string]bool) reading {
	m := junitName.FindStringSubmatch(name)
	if m == nil {
		t.Fatalf("%q names no place", name)
	}
	if whole[name] {
		m[2], m[3] = strings.TrimPrefix(name, m[1]+" at "), ""
	}
	path, err := strconv.Unquote(`"` + strings.ReplaceAll(m[2], `"`, `\"`) + `"`)
	if err != nil {
		t.Errorf("%q: %v", name, err)
	}
	line, _ := strconv.Atoi(m[3])
	return reading{m[1], path, line}
}

func TestFindingsReaders(t *testing.T) { checkReaders(t, odd, "hunter2") }

// checkReaders holds what each format's reader gets against the report. The value
// stands in messages only.
func checkReaders(t testing.TB, r *Report, value string) {
	t.Helper()
	var want []reading
	for _, f := range r.Findings {
		want = append(want, reading{f.Rule, f.Path, f.Range.Start.Line})
	}
	full := *r
	full.FormatVersion, full.Engine, full.Diagnostics = FormatVersion, "opentofu@1.12.6", []DiagnosticRecord{}
	for _, f := range Formats {
		text := as(t, f.Name, &full, false)
		read := readers[f.Name]
		if read == nil {
			t.Errorf("nothing reads what the format %s says", f.Name)
			continue
		}
		read(t, &full, text, want)
		if hidesValues[f.Name] && strings.Contains(text, value) {
			t.Errorf("%s tells the value %q:\n%s", f.Name, value, text)
		}
	}
}

// readers compare the output of each format with the report and its locations. A format without one
// fails the tests.
var readers = map[string]func(t testing.TB, r *Report, text string, want []reading){
	"text": checkText,
	"json": func(t testing.TB, _ *Report, text string, want []reading) {
		samePlaces(t, "json", want, jsonPlaces(t, text), harmless)
	},
	"sarif": func(t testing.TB, _ *Report, text string, want []reading) {
		samePlaces(t, "sarif", want, sarifPlaces(t, text), func(path string) string { return strings.TrimPrefix(path, "./") })
	},
	"github": func(t testing.TB, _ *Report, text string, want []reading) {
		samePlaces(t, "github", want, githubPlaces(t, text), func(path string) string {
			if strings.ContainsFunc(path, func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }) {
				return "(odd)" // people read it in a log
			}
			return harmless(path)
		})
	},
	"gitlab": func(t testing.TB, _ *Report, text string, want []reading) {
		var shown []reading
		for _, w := range want {
			shown = append(shown, reading{w.rule, w.path, max(1, w.line)})
		}
		samePlaces(t, "gitlab", shown, gitlabPlaces(t, text), func(path string) string { return harmless(gopath.Clean(path)) })
	},
	"junit": func(t testing.TB, r *Report, text string, want []reading) {
		whole := map[string]bool{}
		for _, f := range r.Findings {
			if f.Range.Start.Line == 0 {
				whole[f.Rule+" at "+diag.Escape(f.Path)] = true
			}
		}
		samePlaces(t, "junit", grouped(want, r, r.Modules, func(f FindingRecord) string { return f.Module }), junitPlaces(t, text, whole), func(path string) string { return path })
	},
}

// hidesValues are the formats that go to where many people read them.
var hidesValues = map[string]bool{"sarif": true, "github": true, "gitlab": true}

// reportSchema is the schema of the JSON output.
var reportSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.NewCompiler().Compile("../../../docs/report.schema.json")
})

// jsonPlaces holds a report against its schema and reads it.
func jsonPlaces(t testing.TB, text string) []reading {
	t.Helper()
	schema, err := reportSchema()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := schema.Validate(document); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var r Report
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var list []reading
	for _, f := range r.Findings {
		list = append(list, reading{f.Rule, f.Path, f.Range.Start.Line})
	}
	return list
}

// samePlaces compares locations, after file names were normalized.
func samePlaces(t testing.TB, format string, want, got []reading, even func(string) string) {
	t.Helper()
	evened := func(list []reading) []reading {
		var out []reading
		for _, p := range list {
			out = append(out, reading{p.rule, even(p.path), p.line})
		}
		return out
	}
	if diff := cmp.Diff(evened(want), evened(got), cmp.AllowUnexported(reading{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", format, diff)
	}
}

// harmless reduces a name to the characters that every format must keep: names without harmful
// characters are exact.
func harmless(path string) string {
	isHarmful := func(r rune) bool {
		return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) || r == '\ufffe' || r == '\uffff' || r == utf8.RuneError
	}
	if strings.ContainsFunc(path, isHarmful) || strings.Contains(path, `\`) {
		return "(odd)"
	}
	return path
}

// grouped is the order of a format that groups findings, with the findings of modules first.
func grouped(list []reading, r *Report, modules []ModuleRecord, key func(FindingRecord) string) []reading {
	var keys []string
	groups := map[string][]reading{}
	for _, m := range modules {
		keys = append(keys, m.Directory)
	}
	for i, f := range r.Findings {
		keys = append(keys, key(f))
		groups[key(f)] = append(groups[key(f)], list[i])
	}
	var out []reading
	for _, k := range keys {
		out = append(out, groups[k]...)
		delete(groups, k)
	}
	return out
}
