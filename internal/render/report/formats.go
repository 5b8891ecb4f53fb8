package report

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"net/url"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// A Format is a way to write check's findings. To add one, add a file with its writer, a row of
// Formats, and a reader in the tests, which fail without it.
type Format struct {
	Name  string // as --format takes it
	Write func(out *bytes.Buffer, r *Report, o FormatOptions)
}

// FormatOptions are what formats need besides the report.
type FormatOptions struct {
	Screen  screen.Screen // of text for people
	Version string        // of the program, for formats that name what made them
	// Page returns the page of a rule in Markdown, for formats that explain rules; it may be
	// nil.
	Page func(id string) []byte
}

// Formats are all formats, the one for people first.
var Formats = []Format{
	{"text", writeFindings},
	{"json", func(out *bytes.Buffer, r *Report, _ FormatOptions) { _ = r.Write(out) }}, // a buffer takes all
	{"sarif", writeSARIF},
	{"github", writeGitHub},
	{"junit", writeJUnit},
	{"gitlab", writeGitLab},
}

// FindFormat returns the format called name, and reports whether there is one.
func FindFormat(name string) (f Format, ok bool) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return Formats[i], true
}

// FormatNames returns the names of the formats.
func FormatNames() (names []string) {
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// Findings as text for people, and the common parts of other formats.

// writeFindings writes findings for people: on a terminal grouped by file, with source lines; otherwise one
// line for each. Totals end the report.
func writeFindings(out *bytes.Buffer, r *Report, o FormatOptions) {
	write := writeLine
	if o.Screen.IsTerminal {
		write = newFindingsScreen(r).write
	}
	for i := range r.Findings {
		var text strings.Builder
		write(&text, &r.Findings[i], o.Screen)
		out.WriteString(safetext.Inert(text.String()))
	}
	if text := r.totals(o); text != "" {
		if len(r.Findings) > 0 {
			out.WriteString("\n")
		}
		out.WriteString(safetext.Inert(text))
	}
}

// writeLine writes a finding as PATH:LINE:COLUMN: SEVERITY: MESSAGE [RULE], and an indented line for each
// further range that it is about. A finding about a whole file has neither line nor column.
func writeLine(out *strings.Builder, f *FindingRecord, to screen.Screen) {
	place := FullPlace(f.Path, f.Range.Start)
	severity := f.Level().String()
	taken := screen.Columns(place) + len(": ") + len(severity) + len(":")
	text := " " + safetext.OneLine(f.Message) + " [" + f.Rule + "]"
	text = to.WrapLine(taken, text, screen.Hang)
	fmt.Fprintf(out, "%s: %s:%s\n", to.Place(place), colorOf(f.Level(), to.Palette)(severity), text)
	writeRest(out, f, to, "    ")
}

// writeRest writes the lines that follow a finding: one for each further range that its message doesn't name, and one
// that tells why it isn't fixed, if that is known.
func writeRest(out *strings.Builder, f *FindingRecord, to screen.Screen, indent string) {
	for _, related := range f.Related {
		if !isNamedIn(f.Message, related) {
			fmt.Fprintf(out, "%s\n", to.WrapLine(0, indent+relatedText(related), indent+screen.Hang))
		}
	}
	if f.NotFixed != "" {
		fmt.Fprintf(out, "%s\n", to.WrapLine(0, indent+"not fixed: "+safetext.OneLine(f.NotFixed), indent+screen.Hang))
	}
}

// isNamedIn reports whether a message already names a further range, as FILE:LINE.
func isNamedIn(message string, related relatedRecord) bool {
	at := hcl.Range{Filename: path.Base(related.Range.Filename), Start: hcl.Pos{Line: related.Range.Start.Line}}
	for _, rest := range strings.Split(message, diag.Place(at))[1:] { // the text after each FILE:LINE
		if rest == "" || rest[0] < '0' || rest[0] > '9' { // else the line number goes on: a.tf:1 in a.tf:12
			return true
		}
	}
	return false
}

// colorOf returns the function that colours a severity.
func colorOf(s check.Severity, colors screen.Palette) func(string) string {
	switch s {
	case check.Error:
		return colors.Error
	case check.Warning:
		return colors.Warning
	}
	return colors.Dim
}

// FullPlace returns PATH:LINE:COLUMN; PATH alone for line 0, which stands for a whole file.
func FullPlace(path string, at PosRecord) string {
	if at.Line == 0 {
		return diag.Escape(path)
	}
	return fmt.Sprintf("%s:%d:%d", diag.Escape(path), at.Line, at.Column)
}

// relatedText words a further range of a finding: "NOTE: PATH:LINE:COLUMN".
func relatedText(r relatedRecord) string {
	return safetext.OneLine(r.Note) + ": " + FullPlace(r.Range.Filename, r.Range.Start)
}

// The JSON of formats.

// object returns a JSON object. members are names and values in turn; a member whose value is a nil array is
// omitted.
func object(members ...any) *jsontree.Object { return add(&jsontree.Object{}, members...) }

// add adds members to an object, given as for object, and returns the object.
func add(to *jsontree.Object, members ...any) *jsontree.Object {
	for i := 0; i < len(members); i += 2 {
		name := members[i].(string)
		switch value := members[i+1].(type) {
		case *jsontree.Object:
			to.Add(name, value)
		case jsontree.Array:
			if value != nil {
				to.Add(name, value)
			}
		default:
			text, _ := safetext.JSON(value, "") // plain values can't fail
			to.Add(name, jsontree.Raw(bytes.TrimSuffix(text, []byte("\n"))))
		}
	}
	return to
}

// array converts each element of a list to a JSON object; it returns nil for an empty list.
func array[T any](list []T, convert func(T) *jsontree.Object) (converted jsontree.Array) {
	for _, element := range list {
		converted = append(converted, convert(element))
	}
	return converted
}

// writeNode writes n as JSON, and escapes all characters that a terminal or a pipeline would act on.
func writeNode(out *bytes.Buffer, n jsontree.Node) {
	var text bytes.Buffer
	_ = jsontree.Write(&text, n) // first as a whole, because EscapedJSON must not get half a value; a buffer can't fail
	escaped := bufio.NewWriter(out)
	_, _ = safetext.EscapedJSON(escaped).Write(text.Bytes())
	_ = escaped.Flush()
}

// Workflow commands of GitHub Actions,
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions.

// What GitHub's runner takes back in the text of a command, and in the values of
// its properties.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes workflow commands, which make GitHub show findings at their lines, and notices about the
// whole run. They quote names of arguments and keys, but no values: logs may be public.
func writeGitHub(out *bytes.Buffer, r *Report, _ FormatOptions) {
	notices := [][2]string{{"tofumerge", r.Ignored()}, {"settings", r.LeftOut()}, {"engine", AssumedText(r.AssumedEngines())}}
	for _, text := range r.Notes {
		notices = append(notices, [2]string{"only-new", text})
	}
	for _, n := range notices { // first, because GitHub shows only the first few of a run
		if title, text := n[0], n[1]; text != "" {
			fmt.Fprintf(out, "::notice title=%s::%s\n", title, githubData.Replace(safetext.OneLine(text)))
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(out, "::%s %s::%s\n", f.Level(), githubProperties(f), githubData.Replace(githubMessage(f)))
	}
}

// githubProperties returns the properties of a workflow command: the location and the title. It gives columns
// only for a range within one line: GitHub refuses them elsewhere.
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

// githubMessage returns what GitHub shows for a finding: the message without values, the address, and the
// link to the rule.
func githubMessage(f *FindingRecord) string {
	text := safetext.OneLine(f.plainText())
	if f.Address != "" {
		text += " (" + safetext.OneLine(f.Address) + ")"
	}
	return text + "\n" + f.URL
}

// The code quality report of GitLab,
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.

// writeGitLab writes the report that makes GitLab show findings in a merge request. It quotes no value of the
// configuration.
func writeGitLab(out *bytes.Buffer, r *Report, _ FormatOptions) {
	issues := jsontree.Array{}
	seen, asides := map[string]int{}, map[string]string{} // fingerprints so far; remarks by module
	for i := range r.Modules {
		if m := &r.Modules[i]; m.Assumed != "" { // its findings mention that the engine is assumed
			asides[m.Directory] = " (" + assumedText([]string{m.Engine}) + ")"
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		mark := fingerprint(f) // must be unique: GitLab shows one issue of each
		if seen[mark]++; seen[mark] > 1 {
			mark = fmt.Sprintf("%s-%d", mark, seen[mark])
		}
		issues = append(issues, gitlabIssue(safetext.OneLine(f.plainText()+asides[f.Module]), f.Rule, mark, f.Level(), f.Path, f.Range))
	}
	// The format can't express silenced findings, so one issue for each file counts them. When the number grows, the
	// fingerprint changes, and a merge request shows the issue.
	for _, silent := range r.silencedFiles() {
		const rule = "tofumerge:ignore"
		text, at := IgnoredText(0, rulesOf(silent.list)), silent.first.Range
		at.End = at.Start
		mark := fingerprint(&FindingRecord{Rule: rule, Path: silent.first.Path, Summary: text})
		issues = append(issues, gitlabIssue(text, rule, mark, check.Notice, silent.first.Path, at))
	}
	writeNode(out, issues)
}

// gitlabIssue returns one issue of the report; mark is its fingerprint. GitLab requires a line and a relative
// path without "./", so an issue about a whole file is at its first line.
func gitlabIssue(text, rule, mark string, severity check.Severity, file string, at RangeRecord) *jsontree.Object {
	lines := object("begin", max(1, at.Start.Line))
	if at.End.Line > at.Start.Line {
		add(lines, "end", at.End.Line)
	}
	return object(
		"description", text,
		"check_name", rule,
		"fingerprint", mark,
		"severity", gitlabSeverities[severity],
		"location", object("path", strings.TrimPrefix(path.Clean(file), "./"), "lines", lines),
	)
}

var gitlabSeverities = map[check.Severity]string{check.Error: "critical", check.Warning: "major", check.Notice: "info"}

// The format of JUnit, as far as the programs that read it agree on it.

// junitTotals are those of a suite or of all.
type junitTotals struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Skipped  int `xml:"skipped,attr,omitempty"`
}

// A junitSuite holds the tests of a module. Its texts must have been escaped by Printable or ExactName, because
// XML doesn't allow some characters at all; those in CDATA by Inert as well, because there are no
// references in them.
type junitSuite struct {
	Name string `xml:"name,attr"`
	junitTotals
	Properties *[]junitProperty `xml:"properties>property"` // nil for none
	Cases      []junitCase      `xml:"testcase"`
}

// A junitProperty is about all tests of a suite.
type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// A junitCase is a test: it failed, or was skipped, or passed, and may have printed something then.
type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitOutcome `xml:"failure"`
	Skipped *junitOutcome `xml:"skipped"`
	Printed string        `xml:"system-out,omitempty"`
}

// A junitOutcome is why a test failed or was skipped.
type junitOutcome struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

// writeJUnit writes a suite for each module with a test for each finding: a failed one if the finding makes
// the run fail, a skipped one if a comment silences it, otherwise a passed one with the finding as its
// output. A module with nothing but silenced findings, or none, gets one more test, which passes.
func writeJUnit(out *bytes.Buffer, r *Report, _ FormatOptions) {
	all := struct {
		XMLName xml.Name `xml:"testsuites"`
		junitTotals
		Suites []*junitSuite `xml:"testsuite"`
	}{Suites: junitSuites(r)}
	for _, s := range all.Suites {
		if s.Tests == s.Skipped { // no test fails or passes
			s.add("tofumerge check")
		}
		all.Tests, all.Failures, all.Skipped = all.Tests+s.Tests, all.Failures+s.Failures, all.Skipped+s.Skipped
	}
	text, _ := xml.MarshalIndent(all, "", jsonIndent) // no text fails
	out.WriteString(xml.Header + safetext.WithReferences(string(text)) + "\n")
}

// add adds a test, which passes unless the caller sets its outcome. The pointer is valid until the next call.
func (s *junitSuite) add(name string) *junitCase {
	s.Tests++
	s.Cases = append(s.Cases, junitCase{Class: s.Name, Name: name})
	return &s.Cases[len(s.Cases)-1]
}

// junitSuites returns the suites with a test for each finding: first those of the report's modules, then
// those of directories that couldn't be read, which have findings but aren't modules.
func junitSuites(r *Report) (suites []*junitSuite) {
	byDir := map[string]*junitSuite{}
	suiteOf := func(dir string) *junitSuite {
		if byDir[dir] == nil {
			byDir[dir] = &junitSuite{Name: safetext.ExactName(dir)}
			suites = append(suites, byDir[dir])
		}
		return byDir[dir]
	}
	// Every module gets a suite, even one without findings.
	for _, m := range r.Modules {
		suite := suiteOf(m.Directory)
		if m.Assumed != "" { // the properties name the engine
			suite.Properties = &[]junitProperty{{"engine", m.Engine}, {"engine_assumed", safetext.OneLine(m.Assumed)}}
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		suite := suiteOf(f.Module)
		test, text := suite.add(caseName(f)), caseText(f)
		if f.fails {
			suite.Failures++
			test.Failure = &junitOutcome{f.Severity, safetext.OneLine(f.Summary), text}
		} else {
			test.Printed = f.Severity + ": " + text
		}
	}
	for i := range r.Suppressed {
		f := &r.Suppressed[i]
		suite := suiteOf(f.Module)
		suite.Skipped++
		suite.add(caseName(f)).Skipped = &junitOutcome{Message: safetext.OneLine(cmp.Or(SilencedBy(f), f.Message))}
	}
	return suites
}

// caseName returns the name of the test for a finding: RULE at PATH:LINE.
func caseName(f *FindingRecord) string {
	name := f.Rule + " at " + diag.Escape(f.Path)
	if f.Range.Start.Line > 0 {
		name += fmt.Sprintf(":%d", f.Range.Start.Line)
	}
	return name
}

// caseText returns the output of the test for a finding: the message, the further ranges, and the link to the rule,
// each on lines of its own.
func caseText(f *FindingRecord) string {
	text := []string{safetext.Printable(f.Message)}
	for _, related := range f.Related {
		text = append(text, relatedText(related))
	}
	return safetext.Inert(strings.Join(append(text, f.URL), "\n"))
}

// SARIF 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/: the parts of it
// that are written.

// fingerprintName names the algorithm of fingerprint. Another algorithm needs another name.
const fingerprintName = "tofumerge/v2"

// writeSARIF writes the findings as a SARIF 2.1.0 log of one run. It quotes names of arguments and keys, but
// no values.
func writeSARIF(out *bytes.Buffer, r *Report, o FormatOptions) {
	// The tool, with all its rules.
	rules := array(check.Rules, func(rule *check.Rule) *jsontree.Object { return sarifRule(rule, o.Page) })
	driver := object("name", "tofumerge")
	if o.Version != "" {
		add(driver, "version", o.Version)
	}
	run := object("tool", object("driver", add(driver, "informationUri", home, "rules", rules)))
	// Notes on the run.
	runNotes := append([]string{AssumedText(r.AssumedEngines())}, r.Notes...)
	runNotes = slices.DeleteFunc(runNotes, func(text string) bool { return text == "" })
	if len(runNotes) > 0 {
		notes := array(runNotes, func(text string) *jsontree.Object { return object("level", "note", "message", sarifText(text)) })
		add(run, "invocations", jsontree.Array{object("executionSuccessful", true, "toolConfigurationNotifications", notes)})
	}
	add(run, "columnKind", "unicodeCodePoints")
	// The results. Findings come first, so that silenced ones don't change the numbers in their fingerprints.
	results, seen := jsontree.Array{}, map[string]int{} // seen counts equal fingerprints
	for i, list := range [][]FindingRecord{r.Findings, r.Suppressed} {
		isSilenced := i == 1
		for j := range list {
			mark := fingerprint(&list[j])
			seen[mark]++
			result := sarifResult(&list[j], fmt.Sprintf("%s:%d", mark, seen[mark]))
			if isSilenced {
				add(result, "suppressions", jsontree.Array{sarifSuppression(&list[j])})
			} else if len(r.Suppressed) > 0 { // if one result has the property, all must have it
				add(result, "suppressions", jsontree.Array{})
			}
			results = append(results, result)
		}
	}
	add(run, "results", results)
	if r.LeftOut() != "" { // settings left out findings, for which SARIF has no property of its own
		add(run, "properties", object("leftOut", r.Counts.LeftOut))
	}
	writeNode(out, object("$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs", jsontree.Array{run}))
}

// sarifText returns the object with which SARIF represents a message.
func sarifText(text string) *jsontree.Object { return object("text", text) }

// sarifRule describes a rule for the list of rules in a run. If pageOf isn't nil, the rule's help contains
// its whole page.
func sarifRule(rule *check.Rule, pageOf func(id string) []byte) *jsontree.Object {
	page := RuleURL(rule.ID)
	help := sarifText(rule.Why + " See " + page) // GitHub requires a help text
	if pageOf != nil {
		add(help, "markdown", withWholeLinks(string(pageOf(rule.ID)), rule.ID))
	}
	return object(
		"id", rule.ID,
		"shortDescription", sarifText(rule.Title),
		"fullDescription", sarifText(rule.Why),
		"help", help,
		"helpUri", page,
		"defaultConfiguration", object("enabled", !rule.Off, "level", sarifLevels[rule.Severity]),
	)
}

var sarifLevels = map[check.Severity]string{check.Error: "error", check.Warning: "warning", check.Notice: "note"}

// sarifResult returns a finding as SARIF. Its text quotes no values, because results are stored elsewhere.
// mark is its fingerprint, by which consumers recognize it when lines move.
func sarifResult(f *FindingRecord, mark string) *jsontree.Object {
	place := sarifPlace(f.Path, f.Range)
	if f.Address != "" {
		add(place, "logicalLocations", jsontree.Array{object("fullyQualifiedName", f.Address)})
	}
	return object(
		"ruleId", f.Rule,
		"ruleIndex", slices.IndexFunc(check.Rules, func(rule *check.Rule) bool { return rule.ID == f.Rule }), // or -1
		"level", sarifLevels[f.Level()],
		"message", sarifText(safetext.Printable(f.plainText())),
		"locations", jsontree.Array{place},
		"relatedLocations", array(f.Related, func(related relatedRecord) *jsontree.Object {
			place := sarifPlace(related.Range.Filename, related.Range)
			return add(place, "message", sarifText(safetext.Printable(related.Note)))
		}),
		"partialFingerprints", object(fingerprintName, mark),
		"fixes", sarifFixes(f),
	)
}

// sarifSuppression returns the comment that silences a finding, with its reason. A record that represents
// several findings has no comment of its own, so it gets no location.
func sarifSuppression(f *FindingRecord) *jsontree.Object {
	suppression := object("kind", "inSource")
	if by := f.Suppression; by != nil {
		if by.Reason != "" {
			add(suppression, "justification", safetext.Printable(by.Reason))
		}
		add(suppression, "location", sarifPlace(by.Path, by.Range))
	}
	return suppression
}

// sarifPlace returns a location in a file; without a region for a whole file.
func sarifPlace(path string, r RangeRecord) *jsontree.Object {
	place := object("artifactLocation", sarifFile(path))
	if r.Start.Line > 0 {
		add(place, "region", sarifRegion(r.Start, r.End))
	}
	return object("physicalLocation", place)
}

// sarifFile returns a reference to a file.
func sarifFile(path string) *jsontree.Object { return object("uri", uriOf(path, isWindows)) }

// sarifRegion returns the range from start up to, but not including, end. If start has no column, the range is the
// whole line, and end is ignored.
func sarifRegion(start, end PosRecord) *jsontree.Object {
	region := object("startLine", start.Line)
	if start.Column > 0 {
		add(region, "startColumn", start.Column, "endLine", end.Line, "endColumn", end.Column) // exclusive
	}
	return region
}

// sarifFixes returns the fix for a finding. It is nil if there is none, or if it would write values of the
// configuration into the log.
func sarifFixes(f *FindingRecord) jsontree.Array {
	if f.Fix == nil || f.Fix.Quotes {
		return nil
	}
	var changes jsontree.Array
	for edits := f.Fix.Edits; len(edits) > 0; {
		n := 1 // how many edits are of the same file
		for n < len(edits) && edits[n].Path == edits[0].Path {
			n++
		}
		changes = append(changes, object("artifactLocation", sarifFile(edits[0].Path), "replacements", array(edits[:n], func(e fixEdit) *jsontree.Object {
			replacement := object("deletedRegion", sarifRegion(e.Start, e.End))
			if e.Text != "" {
				add(replacement, "insertedContent", sarifText(e.Text))
			}
			return replacement
		})))
		edits = edits[n:]
	}
	return jsontree.Array{object("description", sarifText(f.Fix.Text), "artifactChanges", changes)}
}

// fingerprint identifies a finding across runs: it stays the same when the lines around it move. It isn't
// derived from any value of the configuration, since short values could be guessed from it.
func fingerprint(f *FindingRecord) string {
	// KeyText leaves out the line numbers of locations.
	text := cmp.Or(check.KeyText(f.text), f.Summary)
	if f.more > 0 { // a record for unlisted findings, however many
		text = "more"
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Rule, f.Path, f.Address, text}, "\x00")))
	return fmt.Sprintf("%x", sum[:16])
}

const isWindows = runtime.GOOS == "windows"

// joinSlashed joins a directory and a name, with slashes. On Windows, unlike path.Join, it keeps two slashes
// at the start: those of a share (//server/share) or an extended path (//?/C:/).
func joinSlashed(dir, name string, isWindows bool) string {
	joined := path.Join(dir, name)
	if isWindows && strings.HasPrefix(dir, "//") && !strings.HasPrefix(dir, "///") {
		return "/" + joined
	}
	return joined
}

// uriOf returns the URI of a file: a relative reference, unless the path is absolute (RFC 8089, with the
// forms of its appendix E for Windows). path has slashes.
func uriOf(path string, isWindows bool) string {
	u := url.URL{Path: path}
	if isWindows {
		u = windowsURI(path)
	} else if strings.HasPrefix(path, "/") {
		u.Scheme = "file"
	}
	return u.String()
}

// windowsURI returns the URI of a path with slashes, as Windows reads it: C:/a becomes file:///C:/a,
// //host/share/a and its extended form //?/UNC/host/share/a become file://host/share/a, and other paths
// stay relative.
func windowsURI(path string) url.URL {
	// Reduce the extended form to the ordinary one.
	rest, isExtended := strings.CutPrefix(path, "//?/")
	if share, isShare := strings.CutPrefix(rest, "UNC/"); isExtended && isShare {
		rest = "//" + share
	}
	share, isShare := strings.CutPrefix(rest, "//")
	isDrive := len(rest) > 2 && rest[1:3] == ":/" && 'a' <= rest[0]|0x20 && rest[0]|0x20 <= 'z' // in either case
	switch {
	case isDrive:
		return url.URL{Scheme: "file", Path: "/" + rest}
	case isShare:
		host, below, _ := strings.Cut(share, "/")
		return url.URL{Scheme: "file", Host: host, Path: "/" + below}
	}
	return url.URL{Path: rest} // even one from the root of the current drive, which no URI can express
}
