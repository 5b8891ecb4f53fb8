package feature

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// The file names in the URIs of effective configurations. Editors choose the language by their
// extensions.
const (
	effectiveNative = "effective.tf"
	effectiveJSON   = "effective.tf.json"
)

// effectiveOptions are the options of a request with the defaults filled in.
type effectiveOptions struct {
	isJSON, annotate bool
}

// effectiveURI names the virtual document with the effective configuration of a module: the URI of a file in its
// directory, with another scheme, and the options in the name and the query.
func effectiveURI(v *view.View, o effectiveOptions) protocol.DocumentURI {
	name := effectiveNative
	if o.isJSON {
		name = effectiveJSON
	}
	uri := protocol.EffectiveScheme + strings.TrimPrefix(string(v.URI(name)), "file")
	if !o.annotate {
		uri += "?annotate=false"
	}
	return protocol.DocumentURI(uri)
}

// optionsIn returns the options in a URI that effectiveURI has made. An invalid URI has the defaults.
func optionsIn(uri protocol.DocumentURI) effectiveOptions {
	u, err := url.Parse(string(uri))
	if err != nil {
		return effectiveOptions{annotate: true}
	}
	return effectiveOptions{
		isJSON:   path.Base(u.Path) == effectiveJSON,
		annotate: u.Query().Get("annotate") != "false",
	}
}

// Effective returns the effective configuration of a module or, with p.File, only the file called name, merged. If
// p.Position is set, it also returns where that text has the item at the position, if it does. If the engine refuses
// the module, the text explains why, and then shows the configuration of last. That is the latest view for which
// IsWhole was true, or nil.
func Effective(v, last *view.View, name string, p protocol.EffectiveParams) protocol.EffectiveResult {
	o := effectiveOptions{isJSON: p.Format == "json", annotate: p.Annotate == nil || *p.Annotate}
	text := effectiveText(v, last, o)
	if p.File && IsWhole(v) {
		text = effectiveFile(v, name)
	}
	result := protocol.EffectiveResult{URI: effectiveURI(v, o), Content: string(text)}
	// Find the item of the position in the text.
	if p.Position == nil || v.Merged == nil {
		return result
	}
	if it := v.ItemAt(name, *p.Position); it != nil {
		if at, ok := pathOf(it).find(text, o.isJSON); ok {
			result.Range = new(view.NewText(text).Range(at[0], at[1], v.Encoding))
		}
	}
	return result
}

// EffectiveContent returns the text of a virtual document with an effective configuration.
func EffectiveContent(v, last *view.View, uri protocol.DocumentURI) protocol.TextDocumentContentResult {
	return protocol.TextDocumentContentResult{Text: string(effectiveText(v, last, optionsIn(uri)))}
}

// IsWhole reports whether a view has an effective configuration.
func IsWhole(v *view.View) bool { return v != nil && v.Merged != nil && !v.Diags.HasErrors() }

// effectiveText returns the effective configuration of v. If v has none, it returns the reasons as comments, together
// with the configuration of last, if that has one. last is an earlier view, or nil.
func effectiveText(v, last *view.View, o effectiveOptions) []byte {
	if IsWhole(v) {
		text, diags := rendered(v, o)
		if !diags.HasErrors() {
			return text
		}
		return explanation("This module can't be written in this format:", messagesOf(diags), o, nil)
	}
	// The engine refuses the module, or it was not merged: say why, and show the earlier configuration.
	var before []byte
	if IsWhole(last) {
		before, _ = rendered(last, o)
	}
	title, why := "The engine refuses this module:", refusals(v)
	switch {
	case v.Merged == nil && len(why) == 0:
		title = "No configuration could be read from this directory."
	case v.Merged == nil: // the settings are wrong, for example
		title = "This module can't be merged:"
	}
	return explanation(title, why, o, before)
}

// effectiveColumns is how wide lines with marks are at most: the configuration is shown beside a file, and
// an editor that wraps them once more breaks them anywhere. Longer marks stand above their lines.
const effectiveColumns = 56

// rendered writes the effective configuration of a view for which IsWhole is true. The diagnostics have an error if
// it can't be written in this format.
func rendered(v *view.View, o effectiveOptions) ([]byte, hcl.Diagnostics) {
	var out bytes.Buffer
	options := render.Options{Annotate: o.annotate, Redact: v.Redact, Screen: screen.Plain()}
	options.Screen.IsTerminal = true // people read it: break long marks, and set files apart by blank lines
	options.Screen.Width = effectiveColumns
	if o.isJSON {
		text, diags, err := render.JSON(v.Merged, options)
		if err == nil {
			err = text.Write(&out)
		}
		return out.Bytes(), withError(diags, err)
	}
	text, diags := render.Native(v.Merged, options)
	if diags.HasErrors() {
		return nil, diags
	}
	err := text.Write(&out)
	return out.Bytes(), withError(diags, err)
}

// effectiveFile returns one primary file with the overrides merged in; unchanged if none applies to it. For an
// override file, a comment says where its blocks are. It returns nil if the module has no such file.
func effectiveFile(v *view.View, name string) []byte {
	f := v.Merged.Source.File(name)
	switch {
	case f == nil:
		return nil
	case f.Role == source.Override:
		o := effectiveOptions{isJSON: f.Syntax == source.JSON}
		return explanation("The blocks of this file are merged into blocks of primary files.", nil, o, nil)
	}
	diffs, _ := rewrite.Diff(v.Merged)
	for _, d := range diffs {
		if d.Name == name {
			return d.New()
		}
	}
	return f.Raw
}

// withError adds an error to diagnostics, unless it is nil.
func withError(diags hcl.Diagnostics, err error) hcl.Diagnostics {
	if err == nil {
		return diags
	}
	return append(diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: err.Error()})
}

// refusals returns the reasons why a module has no effective configuration, one line each.
func refusals(v *view.View) (list []string) {
	listed := check.Bounded(v.Findings) // of very many alike the first ones, and how many more there are
	refusing := slices.DeleteFunc(slices.Clone(listed), func(f check.Finding) bool { return !f.IsRefusal() })
	for _, f := range check.Terse(refusing) { // without the same hint in several messages
		list = append(list, placed(f.Range, f.Qualified(f.Message)))
	}
	// Without such findings the diagnostics have the reasons, for example if the module was not merged.
	if len(list) == 0 {
		return messagesOf(v.Diags)
	}
	return list
}

// messagesOf words the first errors among diagnostics, one line each.
func messagesOf(diags hcl.Diagnostics) (list []string) {
	const most = 20
	for _, d := range diags {
		if d.Severity == hcl.DiagError && len(list) < most {
			at := hcl.Range{} // without a subject, the line has no place
			if d.Subject != nil {
				at = *d.Subject
			}
			list = append(list, placed(at, strings.TrimSpace(d.Summary+". "+d.Detail)))
		}
	}
	return list
}

// placed returns FILE:LINE and a message on one line: without the line for a whole file, and only the message if the
// file isn't known.
func placed(at hcl.Range, message string) string {
	message = safetext.OneLine(message)
	switch {
	case at.Filename == "":
		return message
	case at.Start.Line == 0:
		return diag.FileName(at.Filename) + ": " + message
	}
	return diag.Place(at) + ": " + message
}

// explanation returns a document that says in comments why there is no configuration: title, and lines with the
// reasons. before is an earlier configuration, or empty: its lines keep their numbers, because someone may be typing
// and reading it.
func explanation(title string, lines []string, o effectiveOptions, before []byte) []byte {
	if len(before) > 0 {
		return outdated(title, lines, o, before)
	}
	if o.isJSON {
		comment := append([]string{title}, lines...)
		text, _ := json.MarshalIndent(map[string][]string{"//": comment}, "", "  ") // strings: can't fail
		return append(text, '\n')
	}
	return comments(title, lines)
}

// outdated returns an earlier configuration, before, with a comment on its first line that it is out of date and
// why: title and the first of lines. Native text also gets all lines, as comments at its end. Other lines keep their
// numbers. An empty JSON object has no line for the comment, so an explanation replaces it.
func outdated(title string, lines []string, o effectiveOptions, before []byte) []byte {
	// The comment must fit on one line: it has the first reason, and how many more there are.
	note := "Out of date. " + title
	if len(lines) > 0 {
		note += " " + lines[0]
	}
	if more := len(lines) - 1; more > 0 {
		note += fmt.Sprintf(" (%d more)", more)
	}
	// JSON has no comments, so the note becomes the first member of the object, on the line of its brace.
	rest, isObject := bytes.CutPrefix(before, []byte("{\n"))
	switch {
	case o.isJSON && isObject:
		return slices.Concat([]byte(`{ "//": `), jsontree.Quote(note), []byte(",\n"), rest)
	case o.isJSON: // an empty object becomes one with only the comment
		return explanation(title, lines, o, nil)
	}
	// In native text the note goes behind the first line.
	first, rest, _ := bytes.Cut(before, []byte("\n"))
	return slices.Concat(bytes.TrimSuffix(first, []byte("\r")), []byte(" # "+note+"\n"), rest, []byte("\n"), comments(title, lines))
}

// comments returns lines of comments under a title.
func comments(title string, lines []string) []byte {
	var out bytes.Buffer
	out.WriteString("# " + title + "\n")
	for _, line := range lines {
		out.WriteString("#   " + line + "\n")
	}
	return out.Bytes()
}

// Finding an item of a file in the text of the effective configuration.

// An itemPath is the path to an item, by which it is found in the text of the effective configuration.
type itemPath struct {
	block []string // type and labels of the top-level block
	inner []string // names of the nested blocks and the item in it
	alias string   // of a provider configuration, as in the source
}

// pathOf returns the path to an item. Its block is empty if the item isn't a block or inside one.
func pathOf(it source.Item) (p itemPath) {
	// Collect the names from the inside out, up to the top-level block.
	for it.Within() != nil {
		p.inner = append(p.inner, it.Called())
		it = it.Within()
	}
	slices.Reverse(p.inner)
	b, ok := it.(*source.Block)
	if !ok {
		return p
	}
	p.block = append([]string{b.Type}, b.Labels...)
	if alias := b.Attr("alias"); alias != nil {
		p.alias = string(alias.Display())
	}
	return p
}

// find returns the offsets, start and end, of the item's name in a text. If the text lacks the item, they are those
// of the innermost block around it. Of several blocks with the same header, such as provider configurations, it takes
// the one that has the most of the path. It reports false if the text lacks the top-level block.
func (p itemPath) find(text []byte, isJSON bool) (at [2]int, ok bool) {
	if len(p.block) == 0 {
		return at, false
	}
	if isJSON {
		at, depth := p.findJSON(jsontree.NewReader(text).Root(), append(slices.Clone(p.block), p.inner...))
		return at, depth > 0
	}
	best := -1                // the depth that findIn returned for the best block so far
	whole := len(p.inner) + 1 // the depth of a block that has the alias and all of p.inner
	scan := outline.NewScanner(text)
	// Only blocks that start like p.block are scanned, because scanning all takes long. So go from line to line: from
	// and end are the offsets of the current one, and line is its number, from 0.
	line := uint32(0)
	for from := 0; from < len(text); line++ {
		end := len(text)
		if n := bytes.IndexByte(text[from:], '\n'); n >= 0 {
			end = from + n + 1
		}
		if bytes.HasPrefix(text[from:], []byte(p.block[0])) { // the line may start such a block: scan it
			scan.Resume(outline.Place{Line: line + 1, Column: 1, Byte: uint32(from)})
			if scan.Next() == outline.Found && slices.Equal(headerOf(text, scan), p.block) {
				if found, depth := p.findIn(text, scan); depth > best {
					at, best = found, depth
				}
			}
		}
		if best == whole {
			break
		}
		from = end
	}
	return at, best >= 0
}

// headerOf returns the type and the labels, without quotes, of the block in text that a scanner found.
func headerOf(text []byte, scan *outline.Scanner) []string {
	b := scan.Items[0]
	list := []string{string(text[b.Name.Start.Byte:b.Name.End.Byte])}
	for _, l := range scan.Labels[b.FirstLabel:b.EndLabel] {
		list = append(list, string(bytes.Trim(text[l.Start.Byte:l.End.Byte], `"`)))
	}
	return list
}

// findIn finds the item, or the innermost block around it, in the top-level block that a scanner found. at has
// the offsets of its name. depth tells how well the block fits: how many names of p.inner it has, from the outside
// in, and one more if it has all of them and the same alias. For lifecycle and ignore_changes, a block with an empty
// lifecycle has depth 1.
func (p itemPath) findIn(text []byte, scan *outline.Scanner) (at [2]int, depth int) {
	named := func(it outline.Item) string { return string(text[it.Name.Start.Byte:it.Name.End.Byte]) }
	span := func(s outline.Span) [2]int { return [2]int{int(s.Start.Byte), int(s.End.Byte)} }
	// scan.Items has the block itself, and then everything in it. Each item is followed by the Inner items in it, so
	// the steps of the loops skip those.
	at = span(scan.Items[0].Name)
	alias, items := "", scan.Items[1:1+scan.Items[0].Inner]
	for i := 0; i < len(items); i += 1 + int(items[i].Inner) {
		if named(items[i]) == "alias" {
			alias = string(text[items[i].Value.Start.Byte:items[i].Value.End.Byte])
		}
	}
	// Follow the names inwards: items are those of the block reached so far.
	for _, name := range p.inner {
		isThere := false
		for i := 0; i < len(items); i += 1 + int(items[i].Inner) {
			if named(items[i]) == name {
				at, isThere = span(items[i].Name), true
				items = items[i+1 : i+1+int(items[i].Inner)]
				break
			}
		}
		if !isThere {
			return at, depth
		}
		depth++
	}
	if alias == p.alias { // usually neither has one
		depth++
	}
	return at, depth
}

// findJSON follows keys from object to object in a JSON value as far as they exist. It returns the offsets of the
// last one that exists, and how many do. In an array it follows the element that has the most. For the keys
// provider, aws and region it finds "region" in the body whose alias is p.alias:
//
//	{"provider": {"aws": [{"region": "r1"}, {"alias": "b", "region": "r2"}]}}
func (p itemPath) findJSON(v jsontree.Value, keys []string) (at [2]int, depth int) {
	if len(keys) == 0 {
		return at, 0
	}
	isArray := v.Kind() == '['
	// If only the keys of p.inner are left, an array has the bodies of several blocks with the header p.block.
	hasBodies := isArray && len(keys) == len(p.inner)
	for inner := range v.Children() {
		switch {
		case hasBodies && aliasIn(inner) != p.alias: // skip another provider configuration
		case isArray:
			if found, n := p.findJSON(inner, keys); n > depth {
				at, depth = found, n
			}
		case inner.Name() == keys[0]: // go on inside; key has the offsets of the name
			key := inner.Key()
			if found, n := p.findJSON(inner, keys[1:]); n > 0 {
				return found, n + 1
			}
			return [2]int{int(key[0]), int(key[1])}, 1
		}
	}
	return at, depth
}

// aliasIn returns the alias in the body of a block in JSON, as in the source; empty if there is none.
func aliasIn(body jsontree.Value) string {
	alias := ""
	if body.Kind() == '{' {
		for p := range body.Children() {
			if p.Name() == "alias" {
				alias = string(p.Raw())
			}
		}
	}
	return alias
}
