package relocate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// A doc is a JSON report of a tool, with the edits that replace the locations in it.
type doc struct {
	*Mapper
	text  []byte
	edits []textedit.Edit
}

// valueAt returns the value inside v at a path such as "locations.0.uri": names of members and indexes of
// elements. It returns the zero Value if there is none.
func valueAt(v jsontree.Value, path string) jsontree.Value {
	for name := range strings.SplitSeq(path, ".") {
		v = step(v, name)
	}
	return v
}

// step returns the member of an object with a name, or the element of an array with an index, given as text; the zero
// Value if there is none. With "" there is none.
func step(v jsontree.Value, nameOrIndex string) jsontree.Value {
	i := 0
	for inner := range v.Children() {
		own := strconv.Itoa(i)
		if inner.IsMember() {
			own = inner.Name()
		}
		if nameOrIndex != "" && own == nameOrIndex {
			return inner
		}
		i++
	}
	return jsontree.Value{}
}

// The reasons why a text is not mapped.
var (
	errOther   = errors.New("isn't JSON")
	errTooDeep = fmt.Errorf("nests more than %d levels deep", limits.MaxDepth)
	errTooLong = errors.New("is too long")
)

// json maps the JSON documents in a text, which may follow one another. If it can't, it returns the text and
// errOther or errTooDeep.
func (m *Mapper) json(text []byte) ([]byte, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	d, r := &doc{Mapper: m, text: text}, jsontree.NewReader(text)
	at := len(text) - len(bytes.TrimPrefix(text, spelling.UTF8BOM)) // behind a byte order mark
	for {
		v, err := r.Next(at)
		var wrong *hcl.Diagnostic
		switch {
		case errors.Is(err, io.EOF):
			return m.withoutCopy(textedit.Apply(text, 0, len(text), d.edits)), nil
		case errors.As(err, &wrong) && diag.CodeOf(wrong) == diag.TooDeep:
			return text, errTooDeep
		case err != nil:
			return text, errOther
		}
		at = v.End()
		d.walk(v, false) // it is no element of an array
	}
}

// walk replaces the locations in a value: first those in objects inside it, then its own. isElement is set for an
// element of an array.
func (d *doc) walk(v jsontree.Value, isElement bool) {
	for inner := range v.Children() {
		d.walk(inner, v.Kind() == '[')
	}
	if v.Kind() != '{' {
		return
	}
	for i := range shapes {
		if d.mapShape(v, &shapes[i]) {
			break
		}
	}
	if isElement { // only in a list, one object can become several
		d.mapTarget(v)
	}
	d.relate(v)
}

// mapShape replaces the location in an object, if the object has the shape and names a flattened file, and reports
// whether it does. A location without an origin stays and is counted in unmapped.
func (d *doc) mapShape(v jsontree.Value, s *shape) bool {
	f, was, spans := d.trace(v, s) // was: the first and the last line so far
	switch {
	case f == nil:
		return false
	case len(spans) == 0:
		d.unmapped++
		return true
	}
	d.setLines(v, s, f, was, spans[0])
	for _, path := range s.files {
		// With isFixed, the name belongs to an object inside v that is a location, too: so it is replaced already. In
		// terraform validate, v names lines in "snippet", and the file in "range", which also has lines.
		if name := valueAt(v, path); name.Kind() == '"' && !s.isFixed {
			d.rename(name, spans[0].name, s.isURI)
		}
	}
	return true
}

// trace returns the flattened file in the location of an object, the first and the last line there (was), and the
// lines of original files that these come from. f is nil if the object doesn't have the shape.
func (d *doc) trace(v jsontree.Value, s *shape) (f *File, was [2]int, spans []span) {
	first, last, hasLine := linesOf(v, s)
	for _, path := range s.files {
		if hasLine && f == nil { // the first member that names a flattened file decides
			f = d.fileAt(valueAt(v, path), s.isURI)
		}
	}
	if f != nil {
		spans = f.trace(first, last)
	}
	return f, [2]int{first, last}, spans
}

// linesOf returns the first and the last line in the location of an object; ok is false if it has no line. The
// last line may be missing, and is the first one then.
func linesOf(v jsontree.Value, s *shape) (first, last int, ok bool) {
	if first, ok = number(valueAt(v, s.first)); !ok {
		return 0, 0, false
	}
	if last, ok = number(valueAt(v, s.last)); !ok {
		last = first
	}
	return first, last, true
}

// setLines replaces all numbers of a location: lines, columns, offsets, and the numbers of quoted source lines. was
// holds its first and last line in the flattened file f, and to is the span in the original.
func (d *doc) setLines(v jsontree.Value, s *shape, f *File, was [2]int, to span) {
	for i, end := range []struct { // the start of the location, then its end
		line, column, offset string
		to                   int
	}{{s.first, s.column, s.offset, to.first}, {s.last, s.toCol, s.toByte, to.last}} {
		d.set(valueAt(v, end.line), end.to)
		if column, ok := number(valueAt(v, end.column)); ok {
			column = f.column(was[i], column, to, end.to)
			d.set(valueAt(v, end.column), column)
			d.set(valueAt(v, end.offset), f.offset(to.name, end.to, column))
		}
	}
	// Quoted source lines move by as many lines as the start of the location.
	shift := to.first - was[0]
	for line := range valueAt(v, s.numbered).Children() {
		listed := valueAt(line, s.numberOf)
		n, _ := number(listed)
		d.set(listed, n+shift)
	}
	for _, path := range s.dropIn {
		d.drop(valueAt(v, path))
	}
}

// set replaces a number, if the value is one.
func (d *doc) set(v jsontree.Value, to int) {
	if _, ok := number(v); ok {
		d.replace(v, strconv.Itoa(to))
	}
}

// wrongMembers lists members of SARIF objects that would be wrong for the original.
var wrongMembers = []string{"charOffset", "charLength", "byteOffset", "byteLength", "index"}

// drop removes the members of an object that would be wrong for the original file (wrongMembers). Each goes with the
// comma before it or, if no other kind of member precedes it, with the one after it. The object must have other
// members, too.
func (d *doc) drop(v jsontree.Value) {
	hasKept := false
	list := slices.Collect(v.Children())
	for i, inner := range list {
		switch {
		case !slices.Contains(wrongMembers, inner.Name()):
			hasKept = true
		case hasKept:
			d.edits = append(d.edits, textedit.Replace(list[i-1].End(), inner.End(), ""))
		default:
			d.edits = append(d.edits, textedit.Replace(inner.From(), list[i+1].From(), ""))
		}
	}
}

// replace replaces a value.
func (d *doc) replace(v jsontree.Value, text string) {
	d.edits = append(d.edits, textedit.Replace(v.Start(), v.End(), text))
}

// number returns the value as a line, column or offset; false if it isn't a natural number.
func number(v jsontree.Value) (int, bool) {
	if v.Kind() != '0' {
		return 0, false
	}
	number, err := strconv.Atoi(string(v.Raw()))
	return number, err == nil && number >= 0
}

// fileAt returns the flattened file that a JSON string names, as a path or as a URI; nil for any other value.
func (d *doc) fileAt(v jsontree.Value, isURI bool) *File {
	switch {
	case v.Kind() != '"':
		return nil
	case isURI:
		return d.File(pathOf(v.Text()))
	}
	return d.File(v.Text())
}

// rename replaces the file name at the end of a path or URI, a JSON string, by base.
func (d *doc) rename(v jsontree.Value, base string, isURI bool) {
	if isURI {
		base = escapedPath(base)
	}
	d.replace(v, quoted(withBase(v.Text(), base)))
}

// quoted returns a text as a JSON string.
func quoted(text string) string { return string(jsontree.Quote(text)) }

// A shape describes the JSON objects in which one tool reports locations: which members hold the file, the lines
// and so on. Each member is given as a path from the object, as valueAt takes it; empty if the tool has none.
type shape struct {
	about string
	// files lists the members that may name the file: the first that names a flattened one decides,
	// and all are renamed.
	files []string
	// isFixed keeps the names: they are in an object within this one that is a location, too, and gets the new name.
	isFixed        bool
	first, last    string
	column, toCol  string
	offset, toByte string   // offsets in the file, from 0
	dropIn         []string // objects from which wrongMembers are removed
	numbered       string   // a list of lines, each with its number
	numberOf       string   // the member of such a line that is its number
	isURI          bool     // names of files are URIs
}

// shapes lists the locations in reports of known tools. The first that fits an object is used. That of SARIF is the
// first of all, because relate uses it as shapes[0].
var shapes = []shape{
	{
		about: "SARIF", files: []string{"artifactLocation.uri"}, first: "region.startLine", last: "region.endLine",
		column: "region.startColumn", toCol: "region.endColumn",
		dropIn: []string{"region", "artifactLocation"},
		isURI:  true,
	},
	{
		about: "tflint, terraform validate", files: []string{"filename"}, first: "start.line", last: "end.line",
		column: "start.column", toCol: "end.column", offset: "start.byte", toByte: "end.byte",
	},
	{about: "source lines of terraform validate", files: []string{"range.filename"}, isFixed: true, first: "snippet.start_line"},
	{about: "tfsec", files: []string{"filename"}, first: "start_line", last: "end_line"},
	{about: "trivy, a cause", files: []string{"Filename"}, first: "Location.StartLine", last: "Location.EndLine"},
	{about: "GitLab's code quality", files: []string{"path"}, first: "lines.begin", last: "lines.end"},
	{
		about: "Semgrep", files: []string{"path"}, first: "start.line", last: "end.line", column: "start.col", toCol: "end.col",
		offset: "start.offset", toByte: "end.offset",
	},
	{about: "terraform-config-inspect", files: []string{"filename"}, first: "line"},
	{
		about: "checkov", files: []string{"file_abs_path", "file_path", "repo_file_path"},
		first: "file_line_range.0", last: "file_line_range.1", numbered: "code_block", numberOf: "0",
	},
}

// An object of trivy's report holds the findings in one file, in lists. Those that come from another file get an
// object of their own.
const (
	targetMember = "Target"
	failures     = "MisconfSummary.Failures" // the number of findings in the first list
	successes    = "MisconfSummary.Successes"
)

// A list is a member of trivy's object with findings. Their shape has no files, because the object names the
// file.
type list struct {
	name string
	shape
}

var lists = []list{
	{"Misconfigurations", shape{
		first: "CauseMetadata.StartLine", last: "CauseMetadata.EndLine", numbered: "CauseMetadata.Code.Lines", numberOf: "Number",
	}},
	{"Secrets", shape{first: "StartLine", last: "EndLine", numbered: "Code.Lines", numberOf: "Number"}},
}

// relate handles a result of SARIF whose lines come from several original files. Its location names only the first one,
// so the others become related locations.
func (d *doc) relate(v jsontree.Value) {
	locations, sarif := valueAt(v, "locations"), &shapes[0]
	var texts []string // the related locations to add
	for l := range locations.Children() {
		place := valueAt(l, "physicalLocation")
		_, _, spans := d.trace(place, sarif) // the original lines; the file and the lines that l names don't matter
		if len(spans) == 0 {
			continue
		}
		uri := valueAt(place, sarif.files[0]).Text()
		if message := valueAt(l, "message.text"); message.Kind() == '"' && message.Text() == pathOf(uri) {
			d.rename(message, spans[0].name, false) // the message is only the name of the file
		}
		for _, other := range spans[1:] {
			texts = append(texts, fmt.Sprintf(
				`{"physicalLocation":{"artifactLocation":{"uri":%s},"region":{"startLine":%d,"endLine":%d}},"message":{"text":"also comes from here"}}`,
				quoted(withBase(uri, escapedPath(other.name))), other.first, other.last))
		}
	}
	if len(texts) == 0 {
		return
	}
	// Add them at the end of the list of related locations, before its bracket.
	added, known := strings.Join(texts, ","), valueAt(v, "relatedLocations")
	switch {
	case known.Kind() != '[': // there is no such list yet; make one behind the locations
		d.insert(locations.End(), `,"relatedLocations":[`+added+"]")
	case known.IsEmpty():
		d.insert(known.End()-1, added)
	default:
		d.insert(known.End()-1, ","+added)
	}
}

// insert adds text at an offset.
func (d *doc) insert(at int, text string) { d.edits = append(d.edits, textedit.Replace(at, at, text)) }

// pathOf returns the path of a file URI or of a relative one, unescaped. Any other text stays.
func pathOf(uri string) string {
	if u, err := url.Parse(uri); err == nil && (u.Scheme == "file" || u.Scheme == "") {
		return u.Path
	}
	return uri
}

// escapedPath escapes a path for a URI, in which a blank is %20.
func escapedPath(name string) string { return (&url.URL{Path: name}).EscapedPath() }

// documents matches the start of a JSON document. Brackets in logs, such as [INFO], don't match.
var documents = lazyregexp.New(`^\x{feff}?\s*(?:\{\s*["}]|\[\s*["\[{\]])`)

// beginnings matches texts that may still become documents.
var beginnings = lazyregexp.New(`^\x{feff}?\s*[\[{]?\s*$`)

// formOf tells JSON from text by the beginning of a stream; Auto means that more is needed to decide. isWhole is set
// at the end of the stream.
func formOf(beginning []byte, isWhole bool) Form {
	switch {
	case documents().Match(beginning):
		return JSON
	case !isWhole && len(beginning) < sniffed && beginnings().Match(beginning): // it may still become a document
		return Auto
	}
	return Text
}
