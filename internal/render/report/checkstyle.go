package report

import (
	"encoding/xml"
	"io"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// The format of the Java program checkstyle, which many programs read.

type checkstyleReport struct {
	XMLName xml.Name         `xml:"checkstyle"`
	Version string           `xml:"version,attr"`
	Ignored string           `xml:",comment"`
	Files   []checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"` // 0 for a file as a whole, as checkstyle has it
	Column   int    `xml:"column,attr,omitempty"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

// writeCheckstyle writes the findings as checkstyle does, by file. A comment of XML has what
// comments silence: any element would be a finding.
func writeCheckstyle(w io.Writer, r *Report) error {
	out := checkstyleReport{Version: "8.0"}
	if text := r.Ignored(); text != "" {
		out.Ignored = " " + text + " "
	}
	at, asides := map[string]int{}, r.asides()
	for i := range r.Findings {
		f := &r.Findings[i]
		if _, ok := at[f.Path]; !ok {
			at[f.Path] = len(out.Files)
			out.Files = append(out.Files, checkstyleFile{Name: safetext.ExactName(f.Path)})
		}
		file := &out.Files[at[f.Path]]
		file.Errors = append(file.Errors, checkstyleError{
			Line:     f.Range.Start.Line,
			Column:   f.Range.Start.Column,
			Severity: checkstyleSeverities[f.level()],
			Message:  safetext.Printable(f.Message + asides[f.Module]),
			Source:   "tofumerge." + f.Rule,
		})
	}
	return writeXML(w, out)
}

var checkstyleSeverities = map[check.Severity]string{check.Error: "error", check.Warning: "warning", check.Notice: "info"}

// writeXML writes a document. Its texts must have been escaped by Printable or exactName, because
// XML doesn't allow some characters at all; those in CDATA by Inert as well, because there are no
// references in them.
func writeXML(w io.Writer, document any) error {
	text, err := xml.MarshalIndent(document, "", jsonIndent)
	if err == nil {
		_, err = io.WriteString(w, xml.Header+safetext.WithReferences(string(text))+"\n")
	}
	return err
}
