package protocol

// A Diagnostic is a problem in a range of a document.
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

// A DiagnosticSeverity is how serious a diagnostic is.
type DiagnosticSeverity int

// The severities.
const (
	SeverityError DiagnosticSeverity = iota + 1
	SeverityWarning
	SeverityInformation
	SeverityHint
)

// A DiagnosticTag controls how a client may draw the range of a diagnostic.
type DiagnosticTag int

// The tags. Clients fade out unnecessary code and strike through deprecated code.
const (
	TagUnnecessary DiagnosticTag = iota + 1
	TagDeprecated
)

// A CodeDescription links to the documentation of a code.
type CodeDescription struct {
	Href string `json:"href"`
}

// A DiagnosticRelatedInformation is another location that a diagnostic mentions.
type DiagnosticRelatedInformation struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// PublishDiagnosticsParams replace all earlier diagnostics of a document.
type PublishDiagnosticsParams struct {
	URI         DocumentURI  `json:"uri"`
	Version     *int32       `json:"version,omitempty"` // of an open document
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// DocumentDiagnosticParams are the parameters of textDocument/diagnostic.
type DocumentDiagnosticParams struct {
	TextDocumentParams
	PreviousResultID string `json:"previousResultId,omitempty"`
}

// A DocumentDiagnosticReport holds the diagnostics of a document, or states that they are the same
// as in an earlier report.
type DocumentDiagnosticReport struct {
	Kind             DocumentDiagnosticReportKind             `json:"kind"`
	ResultID         string                                   `json:"resultId,omitempty"`
	Items            *[]Diagnostic                            `json:"items,omitempty"` // of a full report
	RelatedDocuments map[DocumentURI]DocumentDiagnosticReport `json:"relatedDocuments,omitempty"`
}

// A DocumentDiagnosticReportKind distinguishes reports with and without items.
type DocumentDiagnosticReportKind string

// The kinds of reports.
const (
	FullReport      DocumentDiagnosticReportKind = "full"
	UnchangedReport DocumentDiagnosticReportKind = "unchanged"
)

// DiagnosticOptions are the server's capabilities for pull diagnostics.
type DiagnosticOptions struct {
	Identifier            string `json:"identifier,omitempty"`
	InterFileDependencies bool   `json:"interFileDependencies"`
	WorkspaceDiagnostics  bool   `json:"workspaceDiagnostics"`
}

// WorkspaceDiagnosticParams are the parameters of workspace/diagnostic, with the results that the
// client has already.
type WorkspaceDiagnosticParams struct {
	PreviousResultIDs  []PreviousResultID `json:"previousResultIds"`
	PartialResultToken any                `json:"partialResultToken,omitempty"`
}

// A PreviousResultID names the result that a client has for a document.
type PreviousResultID struct {
	URI   DocumentURI `json:"uri"`
	Value string      `json:"value"`
}

// A WorkspaceDiagnosticReport holds the diagnostics of documents, open or not.
type WorkspaceDiagnosticReport struct {
	Items []WorkspaceDocumentDiagnosticReport `json:"items"`
}

// A WorkspaceDocumentDiagnosticReport is a DocumentDiagnosticReport that names its document.
type WorkspaceDocumentDiagnosticReport struct {
	DocumentDiagnosticReport
	URI     DocumentURI `json:"uri"`
	Version *int32      `json:"version"` // null if it isn't open
}
