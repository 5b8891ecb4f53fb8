// Package spelling decides what can be a name, finds names that resemble another one, and writes and
// reads paths to objects.
//
// Given a name and candidates, it returns the candidates that may have been meant, the most similar
// first. Names are compared, never corrected.
//
// A path names an object from the outside in: names with dots between them, and in brackets numbers
// and names that aren't identifiers.
//
//	aws_instance.web.tags.Owner
//	aws_instance.web.tags["kubernetes.io/role"]
//	aws_instance.web.provisioner[0]
//
// Its text has printable characters only, and is the same for the same segments; ReadPath returns
// them. It also reads other spellings, among them the * and ? of patterns, which it marks; the
// caller gives them a meaning. It refuses text with an empty name, and brackets that hold neither a
// number nor a name.
package spelling

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"golang.org/x/text/unicode/norm"
)

// IsName reports whether a text is a valid identifier. Most names are ASCII, which is checked without the tables of
// Unicode.
func IsName(s string) bool {
	for i := range len(s) {
		c := s[i]
		isLetter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		isLaterPart := c == '-' || c >= '0' && c <= '9' // not allowed at the start
		if !isLetter && (!isLaterPart || i == 0) {
			return hclsyntax.ValidIdentifier(s)
		}
	}
	return s != ""
}

// IsNativeName reports whether a text can be an unquoted name in native syntax. Unlike IsName it refuses a byte order
// mark at the start: the HCL library accepts one, but a file can't have it there.
func IsNativeName(s string) bool {
	return IsName(s) && !strings.HasPrefix(s, string(UTF8BOM))
}

var UTF8BOM = []byte("\xef\xbb\xbf")

// Nearest returns the candidate that resembles a name most. It returns "" if every candidate differs in more than two
// characters: then a typing error is unlikely.
func Nearest(name string, candidates []string) string {
	best, found := 3, "" // only candidates with a smaller distance count
	for _, c := range candidates {
		// A distance as large as the name means that nothing of the name is left.
		if d := editDistance(name, c, best-1); d < best && d < len(name) {
			best, found = d, c
		}
	}
	return found
}

// IsNear reports whether adding, removing or replacing at most so many characters (most) makes one name of the other.
func IsNear(name, other string, most int) bool { return editDistance(name, other, most) <= most }

// maxMeant is the length in bytes from which a longer name is allowed no more mistakes.
const maxMeant = 100

// Similar returns up to n candidates that a user may have meant by a name. First come those that end with .name or
// begin with name., then those with a similar spelling, the most similar first.
func Similar(name string, candidates []string, n int) []string {
	type ranked struct {
		name string
		rank int // 0 or 1 if a part of it is the name, otherwise 1 plus the distance
	}
	var found []ranked
	most := 2 + min(len(name), maxMeant)/4 // the highest rank that counts; the time is quadratic in it
	for _, c := range candidates {
		rank := 1 + editDistance(name, c, most-1)
		switch {
		case strings.HasSuffix(c, "."+name):
			rank = 0
		case strings.HasPrefix(c, name+"."):
			rank = 1
		}
		if rank <= most {
			found = append(found, ranked{c, rank})
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return a.rank - b.rank })
	var names []string
	for _, f := range found[:min(n, len(found))] {
		names = append(names, f.name)
	}
	return names
}

// editDistance returns how many characters must be added, removed or replaced to turn one name into the other, or
// most+1 if more than most. It fills the usual table of Levenshtein row by row, but only a band along the diagonal,
// so the time grows with the length of the names times most.
func editDistance(a, b string, most int) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	tooMany := most + 1
	// A difference in length needs as many changes: compare bytes first, of which a character has up to four.
	if len(b)-len(a) > most*utf8.UTFMax {
		return tooMany
	}
	from, to := []rune(a), []rune(b)
	if len(to)-len(from) > most || len(from)-len(to) > most {
		return tooMany
	}
	// In row i of the table, row[j] is the distance of the first i characters of from to the first j of to.
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = min(j, tooMany)
	}
	for i := 1; i <= len(from); i++ {
		// The band: farther from the diagonal, more than most characters would have to be added or removed.
		first, last := max(1, i-most), min(len(to), i+most)
		aboveLeft := row[first-1]
		if first == 1 {
			row[0] = min(i, tooMany)
		} else {
			row[first-1] = tooMany // left of the band
		}
		for j := first; j <= last; j++ {
			above := row[j]
			if j == i+most {
				above = tooMany // outside the band of the row above: row[j] is older
			}
			cost := aboveLeft // nothing to do if the characters are equal
			if from[i-1] != to[j-1] {
				cost = 1 + min(aboveLeft, above, row[j-1])
			}
			aboveLeft, row[j] = row[j], min(cost, tooMany)
		}
	}
	return row[len(to)]
}

// Matches reports whether a pattern matches a file's name. Both are normalised first, because macOS may list a name
// with other Unicode characters than were typed. A malformed pattern matches nothing.
func Matches(glob, name string) bool {
	ok, _ := path.Match(Normal(glob), Normal(name))
	return ok
}

// Normal returns a text in the normal form of Unicode (NFC) that the engine gives to computed strings and object
// keys: the Kelvin sign becomes K. Names in blocks, labels and references keep their form.
func Normal(text string) string { return norm.NFC.String(text) }

// A Segment is one step of a path such as web.tags["a"][0]: a name, or an index in a list.
type Segment struct {
	Name  string
	Index int // starts at 0; -1 for a name
}

// Named returns the segment for a name.
func Named(name string) Segment { return Segment{Name: name, Index: -1} }

// At returns the segment for an index, which starts at 0.
func At(index int) Segment { return Segment{Index: index} }

// IsIndex reports whether the segment is an index in a list.
func (s Segment) IsIndex() bool { return s.Index >= 0 }

// AppendPath appends a segment to a path and returns it: a and 0 make a[0], a and b make a.b, a and "x y" make a["x
// y"]. The path may be empty.
func AppendPath(text string, s Segment) string {
	switch {
	case s.IsIndex():
		return text + "[" + strconv.Itoa(s.Index) + "]"
	case !isBare(s.Name):
		return text + "[" + quote(s.Name) + "]"
	case text == "":
		return s.Name
	}
	return text + "." + s.Name
}

// JoinPath returns the path that consists of names, such as a.b["x y"].
func JoinPath(names ...string) string {
	isOdd := func(name string) bool { return !isBare(name) }
	if !slices.ContainsFunc(names, isOdd) {
		return strings.Join(names, ".")
	}
	text := ""
	for _, name := range names {
		text = AppendPath(text, Named(name))
	}
	return text
}

// ConcatPaths appends the path rest to another, with a dot unless rest begins with a bracket. Either may be empty.
func ConcatPaths(text, rest string) string {
	if text == "" || rest == "" || rest[0] == '[' {
		return text + rest
	}
	return text + "." + rest
}

// isBare reports whether a name needs no brackets and quotes in a path: it is an identifier of printable characters.
func isBare(name string) bool {
	for i := range len(name) {
		c := name[i]
		isLetter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		switch {
		case isLetter, i > 0 && (c >= '0' && c <= '9' || c == '-'):
		case c < utf8.RuneSelf:
			return false
		default:
			return utf8.ValidString(name) && hclsyntax.ValidIdentifier(name) && !strings.ContainsFunc(name, isHidden)
		}
	}
	return name != ""
}

// isHidden reports whether a character isn't printable.
func isHidden(r rune) bool { return !unicode.IsPrint(r) }

// quote returns a name in quotes, with escapes for characters that aren't printable and for invalid UTF-8.
func quote(name string) string {
	var out strings.Builder
	out.WriteByte('"')
	for i, r := range name {
		switch {
		case r == '"' || r == '\\':
			out.WriteString(`\` + string(r))
		case r == utf8.RuneError && !strings.HasPrefix(name[i:], "\ufffd"): // a byte that isn't UTF-8
			out.WriteString(`\x` + strconv.FormatUint(uint64(name[i]), 16)) // always two digits: it is at least 0x80
		case unicode.IsPrint(r):
			out.WriteRune(r)
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	out.WriteByte('"')
	return out.String()
}

// What Read refuses.
var (
	errEmpty   = errors.New("a part of it is empty")
	errBracket = errors.New("brackets hold a number or a key")
)

// A PathPart is a segment as it is written in a path.
type PathPart struct {
	Segment
	IsQuoted   bool // it is a string in quotes, in which nothing has another meaning
	IsWild     bool // it has a * or a ? that isn't in quotes
	Start, End int  // in the text, with the dot or the brackets
}

// ReadPath parses a path such as a.b["x y"][0] into its parts. An empty path is an error.
func ReadPath(text string) ([]PathPart, error) {
	var list []PathPart
	for at := 0; at < len(text) || len(list) == 0; {
		p, err := readPart(text, at)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
		at = p.End
	}
	return list, nil
}

// readPart parses the part of a path that starts at offset at: a, .a or ["a"]. Only the first part can be a name
// without a dot in front.
func readPart(text string, at int) (PathPart, error) {
	p := PathPart{Segment: Segment{Index: -1}, Start: at}
	rest := text[at:]
	if strings.HasPrefix(rest, "[") {
		return readBracketed(p, rest[1:])
	}
	if at > 0 {
		var hasDot bool
		if rest, hasDot = strings.CutPrefix(rest, "."); !hasDot {
			return p, errBracket // something is behind a closing bracket
		}
	}
	name := rest
	if end := strings.IndexAny(rest, `.["]`); end >= 0 {
		name = rest[:end]
	}
	if name == "" {
		return p, errEmpty
	}
	p.Name, p.End = name, len(text)-len(rest)+len(name)
	p.IsWild = strings.ContainsAny(p.Name, "*?")
	return p, nil
}

// readBracketed parses a part in brackets: an index, a quoted name, or a name whose quotes a shell removed. rest is
// the text after the opening bracket, p the part so far, whose Start is the offset of the bracket.
func readBracketed(p PathPart, rest string) (PathPart, error) {
	length := 0 // of what is between the brackets
	if strings.HasPrefix(rest, `"`) {
		name, quoted, ok := unquote(rest)
		if !ok {
			return p, errBracket
		}
		p.Name, p.IsQuoted, length = name, true, quoted
	} else {
		length = strings.IndexAny(rest, `]["`)
		if length <= 0 { // nothing, or no closing bracket
			return p, errBracket
		}
		text := rest[:length]
		p.Name, p.IsWild = text, strings.ContainsAny(text, "*?")
		if number, err := strconv.Atoi(text); err == nil && number >= 0 && text[0] != '+' {
			p.Segment = At(number) // in place of the name
		}
	}
	if !strings.HasPrefix(rest[length:], "]") {
		return p, errBracket
	}
	p.End = p.Start + len("[") + length + len("]")
	return p, nil
}

// unquote parses the quoted string at the start of a text, with escapes as in Go. It returns the decoded name and n,
// the length of the string with its quotes. ok is false if the closing quote is missing or an escape is invalid.
func unquote(text string) (name string, n int, ok bool) {
	var out strings.Builder
	rest := text[1:]
	for rest != "" && rest[0] != '"' {
		// Copy the text up to the next escape sequence or the closing quote.
		if plain := strings.IndexAny(rest, `"\`); plain != 0 {
			if plain < 0 {
				return "", 0, false
			}
			out.WriteString(rest[:plain])
			rest = rest[plain:]
			continue
		}
		r, isMultibyte, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil {
			return "", 0, false
		}
		if isMultibyte || r < utf8.RuneSelf {
			out.WriteRune(r)
		} else { // \x80 or above: a byte, not a character
			out.WriteByte(byte(r))
		}
		rest = tail
	}
	if rest == "" {
		return "", 0, false
	}
	return out.String(), len(text) - len(rest) + len(`"`), true
}
