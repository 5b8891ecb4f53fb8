package gitrev

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// The text of a file in a checkout, as in convert.c of Git: identifiers, then line ends, then the
// encoding. Filters are programs, which are not run.

// checkedOut converts a file's content to its form in a checkout.
func (r *Revision) checkedOut(at place, text []byte, limit int64) ([]byte, error) {
	attr, config, err := r.attributesOf(at)
	if err != nil {
		return nil, err
	}
	if err := r.checkFilter(attr["filter"], config, text); err != nil || r.isStored {
		return text, err
	}
	if attr["ident"] == "set" {
		text = withIdent(text, at.id)
	}
	if isCRLF(attr, config, text) {
		text = withCRLF(text)
	}
	if int64(len(text)) > limit {
		return nil, input.TooLargeError(limit)
	}
	return encoded(text, attr["working-tree-encoding"])
}

// checkFilter refuses a file that a filter of Git would change, which is a program. A stored file
// is refused whether or not this machine has the program.
func (r *Revision) checkFilter(filter string, config map[string]string, text []byte) error {
	switch {
	case isPointer(text):
		return errInLFS
	case filter == "" || filter == "unspecified" || filter == "unset" || filter == "set":
		return nil
	case r.isStored:
		return &formError{fmt.Sprintf("its stored form differs, through the filter %s, which tofumerge doesn't run; leave out --tracked, or the filter in .gitattributes", diag.Escape(filter))}
	case config["filter."+filter+".smudge"] == "" && config["filter."+filter+".process"] == "":
		return nil // Git leaves it as it is
	}
	return &formError{fmt.Sprintf("a checkout passes it through the filter %s of Git, which tofumerge doesn't run", diag.Escape(filter))}
}

func isPointer(text []byte) bool {
	return bytes.HasPrefix(text, []byte("version https://git-lfs.github.com/spec/"))
}

var errInLFS = &formError{"its content is in Git LFS, not in the repository"}

// A formError reports that Git stores a file in another form than people write it.
type formError struct{ text string }

func (e *formError) Error() string { return e.text }

// IsOtherForm reports whether a file can't be read because Git stores it in another form.
func IsOtherForm(err error) bool { return errors.As(err, new(*formError)) }

// isCRLF reports whether a checkout ends lines with CR LF.
func isCRLF(attr, config map[string]string, text []byte) bool {
	if bytes.IndexByte(text, '\n') < 0 {
		return false
	}
	kind := attr["text"]
	if kind == "unspecified" {
		kind = attr["crlf"] // what text was called
	}
	eol := attr["eol"]
	autocrlf := strings.ToLower(config["core.autocrlf"])
	byDefault := autocrlf == "true" || autocrlf != "input" && (config["core.eol"] == "crlf" ||
		runtime.GOOS == "windows" && config["core.eol"] != "lf")
	isAuto := false
	switch {
	case kind == "unset" || kind == "input":
		return false
	case eol == "lf":
		return false
	case eol == "crlf":
		isAuto = kind == "auto"
	case kind == "set":
		if !byDefault {
			return false
		}
	case kind == "auto":
		if isAuto = true; !byDefault {
			return false
		}
	case autocrlf == "true":
		isAuto = true
	default:
		return false
	}
	return !isAuto || isPlainText(text)
}

// isPlainText reports whether a text that nothing calls one is taken for one with the
// line ends of Unix.
func isPlainText(text []byte) bool {
	printable, odd := 0, 0
	for i, c := range text {
		switch {
		case c == '\r' || c == 0:
			return false // it has such line ends already, or is empty
		case c == '\n' || c == '\b' || c == '\t' || c == '\f' || c == 0x1b:
			if c != '\n' {
				printable++
			}
		case c == 0x1a && i == len(text)-1:
		case c < ' ' || c == 0x7f:
			odd++
		default:
			printable++
		}
	}
	return printable>>7 >= odd
}

func withCRLF(text []byte) []byte {
	out := make([]byte, 0, len(text)+bytes.Count(text, []byte("\n")))
	for i, c := range text {
		if c == '\n' && (i == 0 || text[i-1] != '\r') {
			out = append(out, '\r')
		}
		out = append(out, c)
	}
	return out
}

// withIdent writes the id of a file into each $Id$.
func withIdent(text []byte, id string) []byte {
	var out []byte
	for {
		start := bytes.Index(text, []byte("$Id"))
		if start < 0 || start+3 >= len(text) {
			return append(out, text...)
		}
		rest := text[start+3:]
		end := bytes.IndexByte(rest, '$')
		if end < 0 || end > 0 && (rest[0] != ':' || bytes.IndexByte(rest[:end], '\n') >= 0) {
			out, text = append(out, text[:start+3]...), rest
			continue
		}
		out = append(append(out, text[:start]...), "$Id: "+id+" $"...)
		text = rest[end+1:]
	}
}

// encoded is a UTF-8 text in the encoding that an attribute names.
func encoded(text []byte, name string) ([]byte, error) {
	upper := strings.ToUpper(name)
	switch upper {
	case "", "UNSPECIFIED", "UNSET", "SET", "UTF-8", "UTF8":
		return text, nil
	}
	if !utf8.Valid(text) {
		return text, nil // a checkout fails to convert it, and leaves it as it is
	}
	runes := []rune(string(text))
	switch upper {
	case "UTF-16", "UTF-16LE-BOM":
		return utf16Text(append([]rune{'\ufeff'}, runes...), binary.LittleEndian), nil
	case "UTF-16LE":
		return utf16Text(runes, binary.LittleEndian), nil
	case "UTF-16BE":
		return utf16Text(runes, binary.BigEndian), nil
	case "ISO-8859-1", "LATIN1", "LATIN-1", "US-ASCII", "ASCII":
		return latin1(runes, name)
	}
	return nil, fmt.Errorf("a checkout writes it in the encoding %s, which tofumerge doesn't know", diag.Escape(name))
}

func utf16Text(runes []rune, order binary.AppendByteOrder) []byte {
	var out []byte
	for _, unit := range utf16.Encode(runes) {
		out = order.AppendUint16(out, unit)
	}
	return out
}

func latin1(runes []rune, name string) ([]byte, error) {
	out := make([]byte, len(runes))
	for i, c := range runes {
		if c > 0xff {
			return nil, fmt.Errorf("it has characters that the encoding %s, in which a checkout writes it, doesn't have", diag.Escape(name))
		}
		out[i] = byte(c)
	}
	return out, nil
}
