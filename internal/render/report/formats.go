package report

import (
	"io"
	"slices"

	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// A Format is a way to write check's findings. To add one, add a file with its writer, a row of
// Formats, and a reader in the tests, which fail without it.
type Format struct {
	Name   string // as --format takes it
	Write  func(w io.Writer, r *Report, o FormatOptions) error
	IsJSON bool
}

// FormatOptions are what formats need besides the report.
type FormatOptions struct {
	Screen screen.Screen // of text for people
	// ShowsAll lists findings of the same lines in copied files one by one.
	ShowsAll bool
	// HidesEngine is set if the engine is named below the report.
	HidesEngine bool
	Version     string // of the program, for formats that name what made them
	// Page returns the page of a rule in Markdown, for formats that explain rules; it may be
	// nil.
	Page func(id string) []byte
}

// Formats are all formats, the one for people first.
var Formats = []Format{
	{Name: "text", Write: func(w io.Writer, r *Report, o FormatOptions) error { return writeFindings(w, r, o) }},
	{Name: "json", Write: func(w io.Writer, r *Report, _ FormatOptions) error { return r.Write(w) }, IsJSON: true},
	{Name: "sarif", Write: writeSARIF, IsJSON: true},
	{Name: "github", Write: func(w io.Writer, r *Report, _ FormatOptions) error { return writeGitHub(w, r) }},
	{Name: "junit", Write: func(w io.Writer, r *Report, _ FormatOptions) error { return writeJUnit(w, r) }},
	{Name: "gitlab", Write: func(w io.Writer, r *Report, _ FormatOptions) error { return writeGitLab(w, r) }, IsJSON: true},
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
