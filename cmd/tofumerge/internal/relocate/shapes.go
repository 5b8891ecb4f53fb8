package relocate

import (
	"slices"
	"strings"
)

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
	drop           []string // members that would be wrong
	numbered       string   // a list of lines, each with its number
	numberOf       string   // the member of such a line that is its number
	isURI          bool     // names are URIs
}

// shapes are the locations in the reports of known tools. The first that fits is used.
var shapes = []shape{
	{
		about: "SARIF", files: []string{"artifactLocation.uri"}, first: "region.startLine", last: "region.endLine",
		column: "region.startColumn", toCol: "region.endColumn",
		drop:  []string{"region.charOffset", "region.charLength", "region.byteOffset", "region.byteLength", "artifactLocation.index"},
		isURI: true,
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

// A grouping is an object of JSON with findings that all are in one file. Those that come from another
// one get an object of their own.
type grouping struct {
	file  string
	lists []list
	// counts is the member with the number of findings in the first list, by an object with these
	// members.
	counts, failed, passed string
}

// A list is a member with findings, whose shape has no files.
type list struct {
	name string
	shape
}

// groupings are those in the reports of known tools.
var groupings = []grouping{{
	file: "Target",
	lists: []list{
		{"Misconfigurations", shape{
			first: "CauseMetadata.StartLine", last: "CauseMetadata.EndLine", numbered: "CauseMetadata.Code.Lines", numberOf: "Number",
		}},
		{"Secrets", shape{first: "StartLine", last: "EndLine", numbered: "Code.Lines", numberOf: "Number"}},
	},
	counts: "MisconfSummary", failed: "Failures", passed: "Successes",
}}

// Members of a result in SARIF.
const (
	locationsMember = "locations"
	locationMember  = "physicalLocation"
	relatedMember   = "relatedLocations"
	messageMember   = "message.text"
)

// wanted numbers, from 1, the names of all members that a table names; nothing else of a document is
// remembered.
var wanted = wantedNames()

func wantedNames() map[string]uint16 {
	paths := []string{locationsMember, locationMember, relatedMember, messageMember}
	all := shapes
	for _, g := range groupings {
		paths = append(paths, g.file, g.counts, g.failed, g.passed)
		for _, l := range g.lists {
			paths = append(paths, l.name)
			all = append(all, l.shape)
		}
	}
	for _, s := range all {
		paths = append(paths, s.first, s.last, s.column, s.toCol, s.offset, s.toByte, s.numbered, s.numberOf)
		paths = slices.Concat(paths, s.files, s.drop)
	}
	names := map[string]uint16{}
	for name := range strings.SplitSeq(strings.Join(paths, "."), ".") {
		if name != "" && names[name] == 0 {
			names[name] = uint16(len(names) + 1)
		}
	}
	return names
}
