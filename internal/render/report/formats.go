package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// A Format is a way to write check's findings. To add one, add a file with its writer, a row of
// Formats, and a reader in the tests, which fail without it.
type Format struct {
	Name  string // as --format takes it
	Write func(w io.Writer, r *Report, o FormatOptions) error
}

// FormatOptions are what formats need besides the report.
type FormatOptions struct {
	Screen screen.Screen // of text for people
	// ShowsAll lists findings of the same lines in copied files one by one.
	ShowsAll bool
	Version  string // of the program, for formats that name what made them
	// Page returns the page of a rule in Markdown, for formats that explain rules; it may be
	// nil.
	Page func(id string) []byte
}

// Formats are all formats, the one for people first.
var Formats = []Format{
	{Name: "text", Write: func(w io.Writer, r *Report, o FormatOptions) error { return writeFindings(w, r, o) }},
	{Name: "json", Write: func(w io.Writer, r *Report, _ FormatOptions) error { return r.Write(w) }},
	{Name: "sarif", Write: writeSARIF},
	{Name: "github", Write: func(w io.Writer, r *Report, _ FormatOptions) error { return writeGitHub(w, r) }},
	{Name: "junit", Write: func(w io.Writer, r *Report, _ FormatOptions) error { return writeJUnit(w, r) }},
	{Name: "gitlab", Write: func(w io.Writer, r *Report, _ FormatOptions) error { return writeGitLab(w, r) }},
}

// FindFormat returns the format of a name, and reports whether there is one.
func FindFormat(name string) (f Format, ok bool) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return Formats[i], true
}

// FormatNames returns the names of the formats.
func FormatNames() []string {
	var names []string
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// Findings as text for people, and the common parts of other formats.

// writeFindings writes findings for people: on a terminal below the name of each file, with source
// lines, and anywhere else a line for each. Totals end the report.
func writeFindings(w io.Writer, r *Report, o FormatOptions) error {
	to := o.Screen
	var out strings.Builder
	write := writeLine
	if to.IsTerminal {
		write = newFindingsScreen(r, o).write
	}
	for i := range r.Findings {
		write(&out, &r.Findings[i], to)
		if out.Len() > enough {
			if err := safetext.WriteText(w, out.String()); err != nil {
				return err
			}
			out.Reset()
		}
	}
	if text := r.totals(o); text != "" {
		if len(r.Findings) > 0 {
			out.WriteString("\n")
		}
		out.WriteString(text)
	}
	return safetext.WriteText(w, out.String())
}

// writeLine writes PATH:LINE:COLUMN: SEVERITY: MESSAGE [RULE], and an indented line for each
// further range that the finding is about. Whole files have neither line nor column.
func writeLine(out *strings.Builder, f *FindingRecord, to screen.Screen) {
	place := fullPlace(f.Path, f.Range)
	severity := f.Level().String()
	taken := screen.Columns(place) + len(": ") + len(severity) + len(":")
	text := " " + safetext.OneLine(f.Message) + " [" + f.Rule + "]"
	text = to.WrapLine(taken, text, screen.Hang)
	for _, part := range []string{to.Place(place), ": ", coloredSeverity(f.Level(), to.Palette), ":", text, "\n"} {
		out.WriteString(part)
	}
	writeRest(out, f, to, "    ")
}

// writeRest writes further ranges that a finding is about, and why it isn't fixed.
func writeRest(out *strings.Builder, f *FindingRecord, to screen.Screen, indent string) {
	for _, related := range f.Related {
		if !names(f.Message, related) {
			fmt.Fprintf(out, "%s\n", to.WrapLine(0, indent+relatedText(related), indent+screen.Hang))
		}
	}
	if f.NotFixed != "" {
		fmt.Fprintf(out, "%s\n", to.WrapLine(0, indent+"not fixed: "+safetext.OneLine(f.NotFixed), indent+screen.Hang))
	}
}

// enough is how many bytes are written at once.
const enough = 64 << 10

// names reports whether a message itself names a further range, as FILE:LINE.
func names(message string, related relatedRecord) bool {
	at := hcl.Range{Filename: path.Base(related.Range.Filename), Start: hcl.Pos{Line: related.Range.Start.Line}}
	for _, rest := range strings.Split(message, diag.Place(at))[1:] {
		if rest == "" || rest[0] < '0' || rest[0] > '9' {
			return true
		}
	}
	return false
}

// coloredSeverity is the coloured name of a severity.
func coloredSeverity(s check.Severity, colors screen.Palette) string {
	switch s {
	case check.Error:
		return colors.Error(s.String())
	case check.Warning:
		return colors.Warning(s.String())
	}
	return colors.Dim(s.String())
}

// fullPlace is PATH:LINE:COLUMN, or PATH for a file as a whole.
func fullPlace(path string, r RangeRecord) string {
	if r.Start.Line == 0 {
		return diag.Escape(path)
	}
	return fmt.Sprintf("%s:%d:%d", diag.Escape(path), r.Start.Line, r.Start.Column)
}

func relatedText(r relatedRecord) string {
	return safetext.OneLine(r.Note) + ": " + fullPlace(r.Range.Filename, r.Range)
}

// Workflow commands of GitHub Actions,
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions.

// What GitHub's runner takes back in the text of a command, and in the values of
// its properties.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes a workflow command for each finding, which GitHub shows beside the line, and
// others about findings that comments silence or settings leave out, which it shows with the run. It contains names of
// arguments and keys, and no values.
func writeGitHub(w io.Writer, r *Report) error {
	var out strings.Builder
	if text := r.Ignored(); text != "" { // first, because GitHub shows a few of a run
		fmt.Fprintf(&out, "::notice title=tofumerge::%s\n", githubData.Replace(text))
	}
	if text := r.LeftOut(); text != "" {
		fmt.Fprintf(&out, "::notice title=settings::%s\n", githubData.Replace(safetext.OneLine(text)))
	}
	if text := r.assumption(); text != "" {
		fmt.Fprintf(&out, "::notice title=engine::%s\n", githubData.Replace(text))
	}
	for _, text := range r.Notes {
		fmt.Fprintf(&out, "::notice title=only-new::%s\n", githubData.Replace(safetext.OneLine(text)))
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&out, "::%s %s::%s\n", f.Level(), githubProperties(f), githubData.Replace(githubMessage(f)))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// githubProperties describes the location of a finding. Columns are for ranges in one line only:
// GitHub refuses them elsewhere.
func githubProperties(f *FindingRecord) string {
	var out strings.Builder
	out.WriteString("file=" + githubProperty.Replace(safetext.LoggedName(f.Path)))
	start, end := f.Range.Start, f.Range.End
	if start.Line > 0 {
		fmt.Fprintf(&out, ",line=%d,endLine=%d", start.Line, max(start.Line, end.Line))
	}
	if start.Line > 0 && start.Line == end.Line {
		fmt.Fprintf(&out, ",col=%d,endColumn=%d", start.Column, end.Column)
	}
	return out.String() + ",title=" + githubProperty.Replace(f.Rule)
}

func githubMessage(f *FindingRecord) string {
	text := safetext.OneLine(f.plainText())
	if f.Address != "" {
		text += " (" + safetext.OneLine(f.Address) + ")"
	}
	return text + "\n" + f.URL
}

// The code quality report of GitLab,
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"` // GitLab shows one issue of each
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
		End   int `json:"end,omitempty"`
	} `json:"lines"`
}

// writeGitLab writes the findings as GitLab shows them in a merge request. No value of
// the configuration is in it.
func writeGitLab(w io.Writer, r *Report) error {
	issues := []gitlabIssue{}
	seen, asides := map[string]int{}, r.asides()
	for i := range r.Findings {
		f := &r.Findings[i]
		issue := gitlabIssue{
			Description: safetext.OneLine(f.plainText() + asides[f.Module]),
			CheckName:   f.Rule,
			Severity:    gitlabSeverities[f.Level()],
		}
		mark := fingerprint(f)
		if seen[mark]++; seen[mark] > 1 {
			mark = fmt.Sprintf("%s-%d", mark, seen[mark])
		}
		issue.Fingerprint = mark
		issue.Location.Path = gitlabPath(f.Path)
		issue.Location.Lines.Begin = max(1, f.Range.Start.Line)
		if end := f.Range.End.Line; end > f.Range.Start.Line {
			issue.Location.Lines.End = end
		}
		issues = append(issues, issue)
	}
	for _, f := range r.silencedFiles() {
		issues = append(issues, gitlabSilence(f))
	}
	return safetext.WriteJSON(w, issues, jsonIndent)
}

// gitlabSilence is an issue about the findings that comments of a file silence. The format has no
// other way to express it: a merge request shows it if their number grows.
func gitlabSilence(f *silencedFile) gitlabIssue {
	text := IgnoredText(0, rulesOf(f.list))
	issue := gitlabIssue{Description: text, CheckName: "tofumerge:ignore", Severity: gitlabSeverities[check.Notice]}
	issue.Fingerprint = fingerprint(&FindingRecord{Rule: issue.CheckName, Path: f.first.Path, Summary: text})
	issue.Location.Path = gitlabPath(f.first.Path)
	issue.Location.Lines.Begin = max(1, f.first.Range.Start.Line)
	return issue
}

func gitlabPath(name string) string { return strings.TrimPrefix(path.Clean(name), "./") }

var gitlabSeverities = map[check.Severity]string{check.Error: "critical", check.Warning: "major", check.Notice: "info"}

// The format of JUnit, as far as the programs that read it agree on it.

// An element is one of an XML document. Its texts must have been escaped by Printable or ExactName, because
// XML doesn't allow some characters at all; those in CDATA by Inert as well, because there are no
// references in them.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	CDATA    string     `xml:",cdata"`
	Elements []*element `xml:",any"`
}

// newElement returns an element with attributes, each a name and its value.
func newElement(name string, attrs ...string) *element {
	e := &element{XMLName: xml.Name{Local: name}}
	for i := 0; i < len(attrs); i += 2 {
		e.Attrs = append(e.Attrs, xml.Attr{Name: xml.Name{Local: attrs[i]}, Value: attrs[i+1]})
	}
	return e
}

// A junitSuite holds the tests of a module.
type junitSuite struct {
	name                     string
	properties               []*element
	cases                    []*element
	failures, skipped, tests int
}

// writeJUnit writes a suite for each module, in which each finding is a test: one that failed if the
// finding makes the run fail, one that was skipped if a comment silences it, and otherwise one that
// passed, with the finding as its output. A module without findings has one test, which passed.
func writeJUnit(w io.Writer, r *Report) error {
	var all junitSuite
	for _, s := range junitSuites(r) {
		s.tests = len(s.cases)
		if s.tests == s.skipped {
			s.cases = append(s.cases, newElement("testcase", "classname", s.name, "name", "tofumerge check"))
			s.tests++
		}
		all.tests, all.failures, all.skipped = all.tests+s.tests, all.failures+s.failures, all.skipped+s.skipped
		all.cases = append(all.cases, s.element("testsuite", "name", s.name))
	}
	text, err := xml.MarshalIndent(all.element("testsuites"), "", jsonIndent)
	if err == nil {
		_, err = io.WriteString(w, xml.Header+safetext.WithReferences(string(text))+"\n")
	}
	return err
}

// element is a suite or all of them, with totals behind other attributes.
func (s *junitSuite) element(name string, attrs ...string) *element {
	attrs = append(attrs, "tests", strconv.Itoa(s.tests), "failures", strconv.Itoa(s.failures))
	if s.skipped > 0 {
		attrs = append(attrs, "skipped", strconv.Itoa(s.skipped))
	}
	e := newElement(name, attrs...)
	if s.properties != nil {
		list := newElement("properties")
		list.Elements = s.properties
		e.Elements = []*element{list}
	}
	e.Elements = append(e.Elements, s.cases...)
	return e
}

// junitSuites are the suites with failures, in the order of the report's modules: unreadable
// directories may have findings without being modules.
func junitSuites(r *Report) (suites []*junitSuite) {
	of := map[string]*junitSuite{}
	suiteOf := func(dir string) *junitSuite {
		if of[dir] == nil {
			of[dir] = &junitSuite{name: safetext.ExactName(dir)}
			suites = append(suites, of[dir])
		}
		return of[dir]
	}
	for _, m := range r.Modules {
		suite := suiteOf(m.Directory)
		if m.Assumed != "" { // the properties name the engine
			suite.properties = []*element{
				newElement("property", "name", "engine", "value", m.Engine),
				newElement("property", "name", "engine_assumed", "value", safetext.OneLine(m.Assumed)),
			}
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		suite := suiteOf(f.Module)
		suite.cases = append(suite.cases, junitCase(f, suite.name, junitOutcome(f)))
		if f.fails {
			suite.failures++
		}
	}
	for i := range r.Suppressed {
		f := &r.Suppressed[i]
		suite := suiteOf(f.Module)
		suite.cases = append(suite.cases, junitCase(f, suite.name, newElement("skipped", "message", safetext.OneLine(cmp.Or(SilencedBy(f), f.Message)))))
		suite.skipped++
	}
	return suites
}

// junitCase is a finding as a test with an outcome.
func junitCase(f *FindingRecord, classname string, outcome *element) *element {
	name := f.Rule + " at " + diag.Escape(f.Path)
	if f.Range.Start.Line > 0 {
		name += fmt.Sprintf(":%d", f.Range.Start.Line)
	}
	e := newElement("testcase", "classname", classname, "name", name)
	e.Elements = []*element{outcome}
	return e
}

// junitOutcome is the failure of a test, or what a test that passed printed.
func junitOutcome(f *FindingRecord) *element {
	text := []string{safetext.Printable(f.Message)}
	for _, related := range f.Related {
		text = append(text, relatedText(related))
	}
	whole := safetext.Inert(strings.Join(append(text, f.URL), "\n"))
	if f.fails {
		e := newElement("failure", "type", f.Severity, "message", safetext.OneLine(f.Summary))
		e.CDATA = whole
		return e
	}
	e := newElement("system-out")
	e.Text = f.Severity + ": " + whole
	return e
}

// SARIF 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/: the parts of it
// that are written.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Invocations []sarifInvocation `json:"invocations,omitempty"` // the run as a whole
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
	Properties  *sarifProperties  `json:"properties,omitempty"`
}

// sarifProperties are what the format has no room for: how many findings settings leave out.
type sarifProperties struct {
	LeftOut map[string]int `json:"leftOut"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolConfigurationNotifications"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID                   string    `json:"id"`
	ShortDescription     sarifText `json:"shortDescription"`
	FullDescription      sarifText `json:"fullDescription"`
	Help                 sarifText `json:"help"` // GitHub wants it
	HelpURI              string    `json:"helpUri"`
	DefaultConfiguration struct {
		Enabled bool   `json:"enabled"`
		Level   string `json:"level"`
	} `json:"defaultConfiguration"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"` // -1 for a rule that the driver does not have
	Level               string            `json:"level"`
	Message             sarifText         `json:"message"`
	Locations           []sarifLocation   `json:"locations"`
	RelatedLocations    []sarifLocation   `json:"relatedLocations,omitempty"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
	Fixes               []sarifFix        `json:"fixes,omitempty"`
	// Suppressions are the suppressions of a finding that comments silence. If one result has the
	// property, all must have it.
	Suppressions *[]sarifSuppression `json:"suppressions,omitempty"`
}

type sarifSuppression struct {
	Kind          string         `json:"kind"`
	Justification string         `json:"justification,omitempty"`
	Location      *sarifLocation `json:"location,omitempty"`
}

type sarifLocation struct {
	PhysicalLocation struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	} `json:"physicalLocation"`
	LogicalLocations []sarifAddress `json:"logicalLocations,omitempty"`
	Message          *sarifText     `json:"message,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifAddress struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"` // of the first character behind it
}

type sarifFix struct {
	Description     sarifText     `json:"description"`
	ArtifactChanges []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	ArtifactLocation sarifArtifact      `json:"artifactLocation"`
	Replacements     []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	DeletedRegion   sarifRegion `json:"deletedRegion"`
	InsertedContent *sarifText  `json:"insertedContent,omitempty"`
}

// fingerprintName names the way in which fingerprint works.
const fingerprintName = "tofumerge/v2"

// writeSARIF writes the findings as a SARIF 2.1.0 log of one run. Names of arguments and
// keys are in it, and no value.
func writeSARIF(w io.Writer, r *Report, o FormatOptions) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{
		Name:           "tofumerge",
		Version:        o.Version,
		InformationURI: home,
	}
	for _, rule := range check.Rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(rule, o.Page))
	}
	var said []sarifNotification
	for _, text := range append([]string{r.assumption()}, r.Notes...) {
		if text != "" {
			said = append(said, sarifNotification{"note", sarifText{Text: text}})
		}
	}
	if said != nil {
		run.Invocations = []sarifInvocation{{ExecutionSuccessful: true, Notifications: said}}
	}
	if r.LeftOut() != "" {
		run.Properties = &sarifProperties{r.Counts.LeftOut}
	}
	seen := map[string]int{}
	for _, list := range [][]FindingRecord{r.Findings, r.Suppressed} { // so that findings keep their fingerprints
		for i := range list {
			result := sarifResultOf(&list[i])
			mark := fingerprint(&list[i])
			seen[mark]++
			result.PartialFingerprints = map[string]string{fingerprintName: fmt.Sprintf("%s:%d", mark, seen[mark])}
			if len(r.Suppressed) > 0 {
				result.Suppressions = &[]sarifSuppression{}
			}
			run.Results = append(run.Results, result)
		}
	}
	for i := range r.Suppressed {
		run.Results[len(r.Findings)+i].Suppressions = &[]sarifSuppression{sarifSuppressionOf(&r.Suppressed[i])}
	}
	return safetext.WriteJSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}, jsonIndent)
}

func sarifRuleOf(rule *check.Rule, pageOf func(id string) []byte) sarifRule {
	page := RuleURL(rule.ID)
	s := sarifRule{
		ID:               rule.ID,
		ShortDescription: sarifText{Text: rule.Title},
		FullDescription:  sarifText{Text: rule.Why},
		Help:             sarifText{Text: rule.Why + " See " + page},
		HelpURI:          page,
	}
	if pageOf != nil {
		s.Help.Markdown = withWholeLinks(string(pageOf(rule.ID)), rule.ID)
	}
	s.DefaultConfiguration.Enabled, s.DefaultConfiguration.Level = !rule.Off, sarifLevels[rule.Severity]
	return s
}

var sarifLevels = map[check.Severity]string{check.Error: "error", check.Warning: "warning", check.Notice: "note"}

func sarifResultOf(f *FindingRecord) sarifResult {
	result := sarifResult{
		RuleID:    f.Rule,
		RuleIndex: slices.IndexFunc(check.Rules, func(rule *check.Rule) bool { return rule.ID == f.Rule }),
		Level:     sarifLevels[f.Level()],
		Message:   sarifText{Text: safetext.Printable(f.plainText())},
		Fixes:     sarifFixes(f),
	}
	place := sarifPlaceOf(f.Path, f.Range)
	if f.Address != "" {
		place.LogicalLocations = []sarifAddress{{f.Address}}
	}
	result.Locations = []sarifLocation{place}
	for _, related := range f.Related {
		place := sarifPlaceOf(related.Range.Filename, related.Range)
		place.Message = &sarifText{Text: safetext.Printable(related.Note)}
		isSame := func(other sarifLocation) bool { return reflect.DeepEqual(other, place) }
		if !slices.ContainsFunc(result.RelatedLocations, isSame) { // the schema allows each one once
			result.RelatedLocations = append(result.RelatedLocations, place)
		}
	}
	return result
}

func sarifSuppressionOf(f *FindingRecord) sarifSuppression {
	s := sarifSuppression{Kind: "inSource"}
	if by := f.Suppression; by != nil {
		s.Justification, s.Location = safetext.Printable(by.Reason), new(sarifPlaceOf(by.Path, by.Range))
	}
	return s
}

func sarifPlaceOf(path string, r RangeRecord) (place sarifLocation) {
	place.PhysicalLocation.ArtifactLocation = sarifArtifact{uriOf(path, isWindows)}
	if r.Start.Line > 0 {
		place.PhysicalLocation.Region = &sarifRegion{r.Start.Line, r.Start.Column, r.End.Line, r.End.Column}
	}
	return place
}

// fingerprint distinguishes a finding from most others, and stays the same when the lines
// around it move. It is made of nothing that holds a value, since short values
// could be guessed from it.
func fingerprint(f *FindingRecord) string {
	text := cmp.Or(check.KeyText(f.text), f.Summary)
	if f.more > 0 {
		text = "more" // their number doesn't matter
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Rule, f.Path, f.Address, text}, "\x00")))
	return fmt.Sprintf("%x", sum[:16])
}

// sarifFixes is what would fix a finding, unless it writes values: those are in no log.
func sarifFixes(f *FindingRecord) []sarifFix {
	if f.Fix == nil || f.Fix.Quotes {
		return nil
	}
	made := sarifFix{Description: sarifText{Text: f.Fix.Text}}
	for _, e := range f.Fix.Edits {
		file := sarifArtifact{uriOf(e.Path, isWindows)}
		n := len(made.ArtifactChanges)
		if n == 0 || made.ArtifactChanges[n-1].ArtifactLocation != file {
			made.ArtifactChanges = append(made.ArtifactChanges, sarifChange{ArtifactLocation: file})
			n++
		}
		r := sarifReplacement{DeletedRegion: sarifRegion{e.Start.Line, e.Start.Column, e.End.Line, e.End.Column}}
		if e.Text != "" {
			r.InsertedContent = &sarifText{Text: e.Text}
		}
		made.ArtifactChanges[n-1].Replacements = append(made.ArtifactChanges[n-1].Replacements, r)
	}
	return []sarifFix{made}
}

const isWindows = runtime.GOOS == "windows"

// joinSlashed is path.Join for a path of files, which on Windows may begin with two slashes: a
// share's (//server/share) or an extended path's (//?/C:/).
func joinSlashed(dir, name string, isWindows bool) string {
	joined := path.Join(dir, name)
	if isWindows && strings.HasPrefix(dir, "//") && !strings.HasPrefix(dir, "///") {
		return "/" + joined
	}
	return joined
}

// uriOf is a reference to a file whose path has slashes: relative, unless the path is
// absolute (RFC 8089, with the forms of its appendix E for Windows).
func uriOf(path string, isWindows bool) string {
	u := url.URL{Path: path}
	if isWindows {
		u = windowsURI(path)
	} else if strings.HasPrefix(path, "/") {
		u.Scheme = "file"
	}
	return u.String()
}

func windowsURI(path string) url.URL {
	rest, isExtended := strings.CutPrefix(path, "//?/")
	if share, isShare := strings.CutPrefix(rest, "UNC/"); isExtended && isShare {
		rest = "//" + share
	}
	share, isShare := strings.CutPrefix(rest, "//")
	switch {
	case len(rest) > 2 && rest[1:3] == ":/" && (rest[0]|0x20) >= 'a' && (rest[0]|0x20) <= 'z': // the letter of a drive
		return url.URL{Scheme: "file", Path: "/" + rest}
	case isShare:
		host, below, _ := strings.Cut(share, "/")
		return url.URL{Scheme: "file", Host: host, Path: "/" + below}
	}
	return url.URL{Path: rest} // even one from the root of the current drive, which no URI can express
}
