package gate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// MaxBaseline is how many bytes a baseline may have.
const MaxBaseline = 64 << 20

// version is the version of the format, which the first number of is changed by what older
// programs would get wrong.
const version = "1.0"

// A Baseline is the known findings by the directory of their module, with slashes.
type Baseline map[string]map[check.Key]int

// An entry is a line of the file.
type entry struct {
	Module string `json:"module"`
	check.Key
	Count int `json:"count,omitempty"` // nothing for 1
}

// Add adds findings of a module.
func (b Baseline) Add(module string, counts map[check.Key]int) {
	for k, n := range counts {
		if b[module] == nil {
			b[module] = map[check.Key]int{}
		}
		b[module][k] += n
	}
}

// Len returns how many findings there are.
func (b Baseline) Len() int {
	n := 0
	for _, counts := range b {
		for _, count := range counts {
			n += count
		}
	}
	return n
}

// sortedKeys lists keys in the order of the file.
func sortedKeys(counts map[check.Key]int) []check.Key {
	return slices.SortedFunc(maps.Keys(counts), func(a, b check.Key) int {
		return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.File, b.File), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Text, b.Text))
	})
}

// Text returns the file: the same for the same findings.
func (b Baseline) Text() []byte {
	var out bytes.Buffer
	out.WriteString("{\n  \"format_version\": \"" + version + "\",\n  \"findings\": [")
	separator := "\n"
	for _, module := range slices.Sorted(maps.Keys(b)) {
		for _, k := range sortedKeys(b[module]) {
			e := entry{Module: module, Key: k}
			if n := b[module][k]; n > 1 {
				e.Count = n
			}
			text, _ := safetext.JSON(e, "") // no text and no number fails
			out.WriteString(separator + "    " + string(bytes.TrimSuffix(text, []byte("\n"))))
			separator = ",\n"
		}
	}
	if separator != "\n" {
		out.WriteString("\n  ")
	}
	out.WriteString("]\n}\n")
	return out.Bytes()
}

// baselineModule is the name of a module in a baseline, given its directory.
func baselineModule(dir string) string { return path.Clean(dir) }

// An Error describes a mistake in a baseline. It quotes nothing but names of the format.
type BaselineError struct {
	Line int
	Why  string
}

func (e *BaselineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Why) }

// maxCount is how often an entry may count.
const maxCount = 1_000_000

// ParseBaseline reads the text of a baseline. Entries that are there twice, as after a merge of
// two branches, count together. The error is an *Error.
func ParseBaseline(text []byte) (Baseline, error) {
	r := &reader{text: text, dec: json.NewDecoder(bytes.NewReader(text)), found: Baseline{}}
	if err := r.file(); err != nil {
		return nil, err
	}
	return r.found, nil
}

// A reader reads a file token by token, so that it knows the line of an error.
type reader struct {
	text      []byte
	dec       *json.Decoder
	found     Baseline
	isVersion bool // the file has one, and has it first
}

func (r *reader) file() error {
	if len(bytes.TrimSpace(r.text)) == 0 {
		return r.wrong(0, "the file is empty")
	}
	if err := r.open('{', "a baseline is a JSON object"); err != nil {
		return err
	}
	for r.dec.More() {
		name, _ := r.token() // anything but a name is refused below, since no value follows
		var err error
		switch name {
		case "format_version":
			err = r.version()
		case "findings":
			err = r.findings()
		default:
			err = r.decode(new(json.RawMessage))
		}
		if err != nil {
			return err
		}
	}
	if _, err := r.token(); err != nil {
		return err
	}
	if !r.isVersion {
		return r.wrong(0, "format_version is missing, so this isn't a baseline")
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return r.wrong(r.dec.InputOffset(), "unexpected text after the end of the object")
	}
	return nil
}

func (r *reader) version() error {
	var text string
	at := r.next()
	if err := r.decode(&text); err != nil {
		return err
	}
	major, _, _ := strings.Cut(text, ".")
	n, _ := strconv.Atoi(major) // 0 for what isn't a number
	switch {
	case n < 1:
		return r.wrong(at, "format_version must look like "+strconv.Quote(version))
	case n > 1:
		return r.wrong(at, "a newer tofumerge wrote this baseline; use that one")
	}
	r.isVersion = true
	return nil
}

func (r *reader) findings() error {
	if !r.isVersion {
		return r.wrong(r.next(), "format_version must come before findings")
	}
	if err := r.open('[', "findings must be an array"); err != nil {
		return err
	}
	for r.dec.More() {
		at := r.next()
		e := entry{Count: 1}
		if err := r.decode(&e); err != nil {
			return err
		}
		switch {
		case e.Module == "":
			return r.wrong(at, "a finding needs a module")
		case e.Rule == "" || e.Text == "":
			return r.wrong(at, "a finding needs a rule and a text")
		case e.Count < 1 || e.Count > maxCount:
			return r.wrong(at, fmt.Sprintf("a count must be between 1 and %d", maxCount))
		}
		r.found.Add(baselineModule(e.Module), map[check.Key]int{e.Key: e.Count})
	}
	_, _ = r.token() // file refuses anything but the end of the array
	return nil
}

// open reads the token that opens an object or an array.
func (r *reader) open(want json.Delim, why string) error {
	at := r.next()
	switch t, err := r.token(); {
	case err != nil:
		return err
	case t != want:
		return r.wrong(at, why)
	}
	return nil
}

func (r *reader) token() (json.Token, error) {
	t, err := r.dec.Token()
	return t, r.syntax(err)
}

func (r *reader) decode(to any) error {
	at := r.next()
	err := r.dec.Decode(to)
	var typed *json.UnmarshalTypeError
	if errors.As(err, &typed) {
		return r.wrong(at, "a value has the wrong type: "+typed.Field)
	}
	return r.syntax(err)
}

// syntax is the error for one of the decoder.
func (r *reader) syntax(err error) error {
	if err == nil {
		return nil
	}
	at := r.next()
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		at = max(at, syntax.Offset-1)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return r.wrong(int64(len(r.text)), "the JSON ends too early")
	}
	if bytes.HasPrefix(r.text[min(r.next(), int64(len(r.text))):], []byte("<<<<<<<")) {
		at = r.next()
		return r.wrong(at, "unresolved merge conflict; keep the lines of both sides")
	}
	return r.wrong(at, "this is not valid JSON")
}

// next is where the next value starts.
func (r *reader) next() int64 {
	at := r.dec.InputOffset()
	for at < int64(len(r.text)) && strings.IndexByte(" \t\r\n,:", r.text[at]) >= 0 {
		at++
	}
	return at
}

func (r *reader) wrong(at int64, why string) error {
	at = max(0, min(at, int64(len(r.text))))
	return &BaselineError{Line: 1 + bytes.Count(r.text[:at], []byte("\n")), Why: why}
}
