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

// A doc is JSON on its way.
type doc struct {
	*Mapper
	text  []byte
	edits []textedit.Edit
}

// at follows a path of names and numbers of elements; the zero Value without a path, or without such a value.
func at(v jsontree.Value, path string) jsontree.Value {
	for name := range strings.SplitSeq(path, ".") {
		v = step(v, name)
	}
	return v
}

func step(v jsontree.Value, name string) jsontree.Value {
	i := 0
	for inner := range v.Children() {
		if name != "" && inner.Name() == name || !inner.IsMember() && strconv.Itoa(i) == name {
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

// json maps the documents of JSON in a text.
func (m *Mapper) json(text []byte) ([]byte, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	d, r := &doc{Mapper: m, text: text}, jsontree.NewReader(text)
	for end := len(text) - len(bytes.TrimPrefix(text, spelling.UTF8BOM)); ; {
		v, err := r.Next(end)
		var wrong *hcl.Diagnostic
		switch {
		case errors.Is(err, io.EOF):
			return m.plain(textedit.Apply(text, 0, len(text), d.edits)), nil
		case errors.As(err, &wrong) && diag.CodeOf(wrong) == diag.TooDeep:
			return text, errTooDeep
		case err != nil:
			return text, errOther
		}
		end = v.End()
		d.walk(v, false)
	}
}

// walk maps the objects in a value, and then the value itself.
func (d *doc) walk(v jsontree.Value, isElement bool) {
	for inner := range v.Children() {
		d.walk(inner, v.Kind() == '[')
	}
	if v.Kind() != '{' {
		return
	}
	for i := range shapes {
		if d.shape(v, &shapes[i]) {
			break
		}
	}
	if isElement { // no object can follow any other one
		d.group(v)
	}
	d.relate(v)
}

// shape maps an object that has a shape, and reports whether it has.
func (d *doc) shape(v jsontree.Value, s *shape) bool {
	f, was, spans := d.trace(v, s)
	switch {
	case f == nil:
		return false
	case len(spans) == 0:
		d.unmapped++
		return true
	}
	d.setLines(v, s, f, was, spans[0])
	for _, path := range s.files {
		if name := at(v, path); name.Kind() == '"' && !s.isFixed {
			d.rename(name, spans[0].name, s.isURI)
		}
	}
	return true
}

// trace returns the flattened file that an object of a shape is about, its lines there, and their origins.
func (d *doc) trace(v jsontree.Value, s *shape) (f *File, was [2]int, spans []span) {
	first, last, ok := linesOf(v, s)
	for _, path := range s.files {
		if ok && f == nil {
			f = d.fileAt(at(v, path), s.isURI)
		}
	}
	if f != nil {
		spans = f.trace(first, last)
	}
	return f, [2]int{first, last}, spans
}

// linesOf are the lines of an object of a shape, if it has any.
func linesOf(v jsontree.Value, s *shape) (first, last int, ok bool) {
	if first, ok = number(at(v, s.first)); !ok {
		return 0, 0, false
	}
	if last, ok = number(at(v, s.last)); !ok {
		last = first
	}
	return first, last, true
}

// setLines writes the numbers of a location.
func (d *doc) setLines(v jsontree.Value, s *shape, f *File, was [2]int, to span) {
	for i, end := range []struct {
		line, column, offset string
		to                   int
	}{{s.first, s.column, s.offset, to.first}, {s.last, s.toCol, s.toByte, to.last}} {
		d.set(at(v, end.line), end.to)
		if column, ok := number(at(v, end.column)); ok {
			column = f.column(was[i], column, to, end.to)
			d.set(at(v, end.column), column)
			d.set(at(v, end.offset), f.offset(to.name, end.to, column))
		}
	}
	shift := to.first - was[0]
	for line := range at(v, s.numbered).Children() {
		listed := at(line, s.numberOf)
		was, _ := number(listed)
		d.set(listed, was+shift)
	}
	for _, path := range s.dropIn {
		d.drop(at(v, path))
	}
}

// set writes a number instead of another one.
func (d *doc) set(v jsontree.Value, to int) {
	if _, ok := number(v); ok {
		d.replace(v, strconv.Itoa(to))
	}
}

// wrongMembers are the members of an object of SARIF that would be wrong.
var wrongMembers = []string{"charOffset", "charLength", "byteOffset", "byteLength", "index"}

// drop removes them from an object, which has others.
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

// number is the number in a value, if it is one that can be a line.
func number(v jsontree.Value) (int, bool) {
	if v.Kind() != '0' {
		return 0, false
	}
	number, err := strconv.Atoi(string(v.Raw()))
	return number, err == nil && number >= 0
}

// fileAt is the flattened file that a string names.
func (d *doc) fileAt(v jsontree.Value, isURI bool) *File {
	switch {
	case v.Kind() != '"':
		return nil
	case isURI:
		return d.File(pathOf(v.Text()))
	}
	return d.File(v.Text())
}

// rename gives a name the file of an original.
func (d *doc) rename(v jsontree.Value, base string, isURI bool) {
	if isURI {
		base = escapedPath(base)
	}
	d.replace(v, quoted(beside(v.Text(), base)))
}

// quoted is a string of JSON.
func quoted(text string) string { return string(jsontree.Quote(text)) }

// A shape is an object of JSON that is a location. Members are paths of names from the object; a number
// is an element of a list.
type shape struct {
	about string
	// files are the members that may name the file: the first that means a flattened one decides,
	// and all are renamed.
	files []string
	// isFixed is set if an object within this one is a location, too, and gets the name.
	isFixed        bool
	first, last    string
	column, toCol  string
	offset, toByte string   // from the beginning of the file, from 0
	dropIn         []string // objects with members that would be wrong
	numbered       string   // a list of lines, each with its number
	numberOf       string   // the member of such a line that is its number
	isURI          bool     // names are URIs
}

// shapes are the locations in the reports of known tools. The first that fits is used.
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

// A list is a member with findings, whose shape has no files.
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

// relate adds the further origins of its locations to a result of SARIF.
func (d *doc) relate(v jsontree.Value) {
	locations := at(v, "locations")
	var texts []string
	for l := range locations.Children() {
		place := at(l, "physicalLocation")
		_, _, spans := d.trace(place, &shapes[0])
		if len(spans) == 0 {
			continue
		}
		uri := at(place, shapes[0].files[0]).Text()
		if message := at(l, "message.text"); message.Kind() == '"' && message.Text() == pathOf(uri) {
			d.rename(message, spans[0].name, false) // it is nothing but the name of the file
		}
		for _, other := range spans[1:] {
			texts = append(texts, fmt.Sprintf(
				`{"physicalLocation":{"artifactLocation":{"uri":%s},"region":{"startLine":%d,"endLine":%d}},"message":{"text":"also comes from here"}}`,
				quoted(beside(uri, escapedPath(other.name))), other.first, other.last))
		}
	}
	if len(texts) == 0 {
		return
	}
	added, end := strings.Join(texts, ","), locations.End()
	switch known := at(v, "relatedLocations"); {
	case known.Kind() != '[':
		added = `,"relatedLocations":[` + added + "]"
	case known.IsEmpty():
		end = known.End() - 1
	default:
		added, end = ","+added, known.End()-1
	}
	d.edits = append(d.edits, textedit.Replace(end, end, added))
}

// pathOf is the path that a URI names.
func pathOf(uri string) string {
	if u, err := url.Parse(uri); err == nil && (u.Scheme == "file" || u.Scheme == "") {
		return u.Path
	}
	return uri
}

func escapedPath(name string) string { return (&url.URL{Path: name}).EscapedPath() }

// documents is the beginning of a document: texts in brackets, such as those of logs, differ from it.
var documents = lazyregexp.New(`^\x{feff}?\s*(?:\{\s*["}]|\[\s*["\[{\]])`)

// beginnings may become documents.
var beginnings = lazyregexp.New(`^\x{feff}?\s*[\[{]?\s*$`)

// formOf detects the form of a stream by its beginning; Auto if that is too short.
func formOf(beginning []byte, isWhole bool) Form {
	switch {
	case documents().Match(beginning):
		return JSON
	case !isWhole && len(beginning) < sniffed && beginnings().Match(beginning):
		return Auto
	}
	return Text
}
