package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// The format of JUnit, as far as the programs that read it agree on it.

type junitReport struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr,omitempty"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Skipped  int    `xml:"skipped,attr,omitempty"`
	// Properties name the engine if it is assumed.
	Properties *junitProperties `xml:"properties"`
	Cases      []junitCase      `xml:"testcase"`
}

type junitProperties struct {
	List []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Classname string        `xml:"classname,attr"`
	Name      string        `xml:"name,attr"`
	Failure   *junitFailure `xml:"failure"`
	Skipped   *junitSkipped `xml:"skipped"`
	Output    string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// writeJUnit writes a suite for each module, in which each finding is a test: one that failed if the
// finding makes the run fail, one that was skipped if a comment silences it, and otherwise one that
// passed, with the finding as its output. A module without findings has one test, which passed.
func writeJUnit(w io.Writer, r *Report) error {
	var out junitReport
	for _, suite := range junitSuites(r) {
		suite.Tests = len(suite.Cases)
		if suite.Tests == suite.Skipped {
			suite.Cases = append(suite.Cases, junitCase{Classname: suite.Name, Name: "tofumerge check"})
			suite.Tests++
		}
		out.Tests, out.Failures, out.Skipped = out.Tests+suite.Tests, out.Failures+suite.Failures, out.Skipped+suite.Skipped
		out.Suites = append(out.Suites, suite)
	}
	return writeXML(w, out)
}

// junitSuites are the suites with failures, in the order of the report's modules: unreadable
// directories may have findings without being modules.
func junitSuites(r *Report) []junitSuite {
	var suites []junitSuite
	at := map[string]int{}
	suiteOf := func(dir string) *junitSuite {
		if _, ok := at[dir]; !ok {
			at[dir] = len(suites)
			suites = append(suites, junitSuite{Name: safetext.ExactName(dir)})
		}
		return &suites[at[dir]]
	}
	for _, m := range r.Modules {
		suite := suiteOf(m.Directory)
		if m.Assumed != "" {
			suite.Properties = &junitProperties{[]junitProperty{{"engine", m.Engine}, {"engine_assumed", safetext.OneLine(m.Assumed)}}}
		}
	}
	for i := range r.Findings {
		suite := suiteOf(r.Findings[i].Module)
		suite.Cases = append(suite.Cases, junitCaseOf(&r.Findings[i], suite.Name))
		if r.Findings[i].fails {
			suite.Failures++
		}
	}
	for i := range r.Suppressed {
		suite := suiteOf(r.Suppressed[i].Module)
		suite.Cases = append(suite.Cases, junitSkippedCase(&r.Suppressed[i], suite.Name))
		suite.Skipped++
	}
	return suites
}

func junitNameOf(f *FindingRecord) string {
	name := f.Rule + " at " + diag.Escape(f.Path)
	if f.Range.Start.Line > 0 {
		name += fmt.Sprintf(":%d", f.Range.Start.Line)
	}
	return name
}

func junitSkippedCase(f *FindingRecord, classname string) junitCase {
	return junitCase{Classname: classname, Name: junitNameOf(f), Skipped: &junitSkipped{safetext.OneLine(cmp.Or(SilencedBy(f), f.Message))}}
}

func junitCaseOf(f *FindingRecord, classname string) junitCase {
	text := []string{safetext.Printable(f.Message)}
	for _, related := range f.Related {
		text = append(text, relatedText(related))
	}
	whole := safetext.Inert(strings.Join(append(text, f.URL), "\n"))
	c := junitCase{Classname: classname, Name: junitNameOf(f)}
	if f.fails {
		c.Failure = &junitFailure{f.Severity, safetext.OneLine(f.Summary), whole}
	} else {
		c.Output = f.Severity + ": " + whole
	}
	return c
}

// writeXML writes a document. Its texts must have been escaped by Printable or ExactName, because
// XML doesn't allow some characters at all; those in CDATA by Inert as well, because there are no
// references in them.
func writeXML(w io.Writer, document any) error {
	text, err := xml.MarshalIndent(document, "", jsonIndent)
	if err == nil {
		_, err = io.WriteString(w, xml.Header+safetext.WithReferences(string(text))+"\n")
	}
	return err
}
