package protocol

// A Diagnostic is something that is wrong with a stretch of a document.
type Diagnostic struct {
	Range              Range                          `json:"range"`
	Severity           DiagnosticSeverity             `json:"severity,omitempty"`
	Code               string                         `json:"code,omitempty"`
	CodeDescription    *CodeDescription               `json:"codeDescription,omitempty"`
	Source             string                         `json:"source,omitempty"`
	Message            string                         `json:"message"`
	Tags               []DiagnosticTag                `json:"tags,omitempty"`
	RelatedInformation []DiagnosticRelatedInformation `json:"relatedInformation,omitempty"`
	Data               any                            `json:"data,omitempty"`
}

// A DiagnosticSeverity says how bad a diagnostic is.
type DiagnosticSeverity int

// The severities.
const (
	SeverityError DiagnosticSeverity = iota + 1
	SeverityWarning
	SeverityInformation
	SeverityHint
)

// A DiagnosticTag says how a client may draw what a diagnostic is about.
type DiagnosticTag int

// The tags: faded out, struck through.
const (
	TagUnnecessary DiagnosticTag = iota + 1
	TagDeprecated
)

// A CodeDescription leads to what there is to read about a code.
type CodeDescription struct {
	Href string `json:"href"`
}

// A DiagnosticRelatedInformation is a second place that a diagnostic is about.
type DiagnosticRelatedInformation struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// PublishDiagnosticsParams replace all that was said of a document before.
type PublishDiagnosticsParams struct {
	URI         DocumentURI  `json:"uri"`
	Version     *int32       `json:"version,omitempty"` // of an open document
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// DocumentDiagnosticParams ask for the diagnostics of a document.
type DocumentDiagnosticParams struct {
	TextDocumentParams
	PreviousResultID string `json:"previousResultId,omitempty"`
}

// A DocumentDiagnosticReport is the diagnostics of a document, or that they are those of an
// earlier result.
type DocumentDiagnosticReport struct {
	Kind             DocumentDiagnosticReportKind             `json:"kind"`
	ResultID         string                                   `json:"resultId,omitempty"`
	Items            *[]Diagnostic                            `json:"items,omitempty"` // of a full report
	RelatedDocuments map[DocumentURI]DocumentDiagnosticReport `json:"relatedDocuments,omitempty"`
}

// A DocumentDiagnosticReportKind says whether a report has items.
type DocumentDiagnosticReportKind string

// The kinds.
const (
	FullReport      DocumentDiagnosticReportKind = "full"
	UnchangedReport DocumentDiagnosticReportKind = "unchanged"
)

// DiagnosticOptions say that clients can ask for diagnostics.
type DiagnosticOptions struct {
	Identifier            string `json:"identifier,omitempty"`
	InterFileDependencies bool   `json:"interFileDependencies"`
	WorkspaceDiagnostics  bool   `json:"workspaceDiagnostics"`
}
