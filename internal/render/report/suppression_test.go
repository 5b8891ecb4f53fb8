package report

import (
	"strings"
	"testing"

	"github.com/joshdk/go-junit"
)

// Formats that support suppressed findings mark them, and no format shows a value in them that it
// hides elsewhere.
func TestSuppressedFormats(t *testing.T) {
	r := *odd
	r.FormatVersion, r.Engine, r.Diagnostics = FormatVersion, "opentofu@1.12.6", []DiagnosticRecord{}
	silenced := odd.Findings[0]
	silenced.Suppression = &suppressionRecord{silenced.Path, silenced.Range, "so be it\x1b[1m\u202e ::error::"}
	more := FindingRecord{Rule: "no-effect", Severity: "warning", Module: "mod a", Path: silenced.Path, Message: "2 more", URL: RuleURL("no-effect"), more: 2}
	r.Suppressed = []FindingRecord{silenced, more}
	for _, f := range Formats {
		text := as(t, f.Name, &r, false)
		if hidesValues[f.Name] && strings.Contains(text, "hunter2") {
			t.Errorf("%s has the value of a silenced finding", f.Name)
		}
		if strings.ContainsAny(text, "\x1b\u202e") || strings.Contains(text, "\n::error::") {
			t.Errorf("%s has a reason that a terminal or a pipeline acts on:\n%q", f.Name, text)
		}
		if says := strings.Contains(text, "3 findings are ignored by comments"); says != (f.Name == "github") {
			t.Errorf("%s counts what is silenced: %t", f.Name, says)
		}
	}
	if got := jsonPlaces(t, as(t, "json", &r, false)); len(got) != len(odd.Findings) {
		t.Errorf("JSON has %d findings", len(got))
	}
	suppressed := 0
	for _, result := range readSARIF(t, as(t, "sarif", &r, false)).Results {
		if result.Suppressions == nil {
			t.Error("a result has no suppressions, and others have some")
		}
		suppressed += len(result.Suppressions)
	}
	suites, err := junit.Ingest([]byte(as(t, "junit", &r, false)))
	if err != nil {
		t.Fatal(err)
	}
	if suppressed != 2 || suites[0].Totals.Skipped != 2 || suites[0].Totals.Failed != 2 {
		t.Errorf("SARIF suppresses %d, JUnit has %+v", suppressed, suites[0].Totals)
	}
}
