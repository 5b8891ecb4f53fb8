package relocate

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// Checkstyle has an element for each file, with the errors in it. JUnit has locations in its texts.

var (
	fileElement  = lazyregexp.New(`(?s)<file\s[^>]*?\bname="([^"]*)"[^>]*>(.*?)</file>`)
	errorElement = lazyregexp.New(`(?s)<error\s(?:[^>"]|"[^"]*")*?(?:/>|>(?:.*?)</error>)`)
	lineValue    = lazyregexp.New(`\bline="([0-9]{1,9})"`)
	columnValue  = lazyregexp.New(`\bcolumn="([0-9]{1,9})"`)
	classValue   = lazyregexp.New(`\b(classname|file)="([^"]*)"`)
)

// testStart is how the element of a test begins.
const testStart = "<testcase"

// xml maps a report in Checkstyle or JUnit. It reports false for text that isn't XML.
func (m *Mapper) xml(text []byte) ([]byte, bool) {
	dec := xml.NewDecoder(bytes.NewReader(text))
	isCheckstyle, isKnown := false, false
	for !isKnown {
		token, err := dec.RawToken()
		if err != nil {
			return text, false
		}
		start, ok := token.(xml.StartElement)
		isKnown, isCheckstyle = ok, ok && start.Name.Local == "checkstyle"
	}
	if isCheckstyle {
		return m.plain(replaceAll(fileElement(), text, m.checkstyleFile)), true
	}
	var out []byte
	for i, test := range bytes.Split(text, []byte(testStart)) {
		if i > 0 {
			out = append(out, testStart...)
		}
		out = append(out, m.junitTest(test)...)
	}
	return m.plain(out), true
}

// replaceAll replaces all matches by the result of a function for their groups.
func replaceAll(pattern *regexp.Regexp, text []byte, with func(text []byte, groups []int) []byte) []byte {
	var out []byte
	at := 0
	for _, g := range pattern.FindAllSubmatchIndex(text, -1) {
		out = append(append(out, text[at:g[0]]...), with(text, g)...)
		at = g[1]
	}
	return append(out, text[at:]...)
}

// checkstyleFile writes the element of a file once for each file that its errors come from.
func (m *Mapper) checkstyleFile(text []byte, g []int) []byte {
	whole, name := text[g[0]:g[1]], unescaped(text[g[2]:g[3]])
	f := m.File(name)
	if f == nil {
		return whole
	}
	errs := errorElement().FindAllIndex(text[g[4]:g[5]], -1)
	if len(errs) == 0 {
		return whole
	}
	body := text[g[4]:g[5]]
	space, end := body[:errs[0][0]], body[errs[len(errs)-1][1]:]
	parts := map[string][]byte{}
	var names []string
	for _, e := range errs {
		to, element := m.checkstyleError(f, name, body[e[0]:e[1]])
		if parts[to] == nil {
			names = append(names, to)
		}
		parts[to] = append(append(parts[to], space...), element...)
	}
	var out []byte
	for i, to := range names {
		if i > 0 {
			out = append(out, end...)
		}
		out = append(append(append(out, text[g[0]:g[2]]...), escaped(to)...), text[g[3]:g[4]]...)
		out = append(append(out, parts[to]...), end...)
		out = append(out, "</file>"...)
	}
	return out
}

// checkstyleError is an error with the lines of the original, and the name of its file.
func (m *Mapper) checkstyleError(f *File, name string, element []byte) (to string, out []byte) {
	g := lineValue().FindSubmatchIndex(element)
	if g == nil {
		return name, element
	}
	line, _ := strconv.Atoi(string(element[g[2]:g[3]]))
	spans := f.trace(line, line)
	if len(spans) == 0 {
		m.unmapped++
		return name, element
	}
	m.mapped++
	out = replaceAll(columnValue(), element, func(text []byte, c []int) []byte {
		column, _ := strconv.Atoi(string(text[c[2]:c[3]]))
		return []byte(`column="` + strconv.Itoa(f.column(line, column, spans[0], spans[0].first)) + `"`)
	})
	g = lineValue().FindSubmatchIndex(out)
	rest := bytes.Clone(out[g[3]:])
	return beside(name, spans[0].name), append(strconv.AppendInt(out[:g[2]:g[2]], int64(spans[0].first), 10), rest...)
}

// junitTest maps the texts of a test, and names the file that they do.
func (m *Mapper) junitTest(test []byte) []byte {
	var from, to string
	out := m.inLine(test, escaped, func(_ *File, was, is string) { from, to = was, is })
	if from == "" {
		return out
	}
	return replaceAll(classValue(), out, func(text []byte, c []int) []byte {
		rest, isSame := strings.CutPrefix(unescaped(text[c[4]:c[5]]), from)
		if !isSame || rest != "" && rest[0] != '.' { // the name of a resource may follow
			return text[c[0]:c[1]]
		}
		return []byte(string(text[c[2]:c[3]]) + `="` + escaped(to+rest) + `"`)
	})
}

// unescaped is the text of an attribute.
func unescaped(text []byte) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#34;", `"`, "&#39;", "'", "&apos;", "'", "&amp;", "&").
		Replace(string(text))
}

func escaped(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // to memory
	return out.String()
}
