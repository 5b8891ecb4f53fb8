// Package wording holds words for people about items, locations and values: FILE:LINE, a value or a
// description of a long one, how many, and why something has no effect.
//
// It makes phrases, which others put into sentences, tables and marks. A Redactor hides sensitive
// values, and with Redact all ineffective ones. Nothing is laid out or coloured here.
package wording

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/merge/values"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// The wording of locations and values.

// A Redactor words the values of a module, but not those that must not be shown.
type Redactor struct {
	Module *load.Module
	Redact bool // hide all values that aren't in effect
	All    bool // hide also those in effect
	// FromHere writes files as paths from the working directory, for people who open them there.
	FromHere bool
}

// The words for values that are hidden though they are not known to be sensitive.
const RedactedValue = "(redacted)"

// maxValue is the maximum width of an earlier value in columns.
const maxValue = 60

// Place returns FILE:LINE of an item.
func Place(it source.Item) string { return diag.Place(source.Where(it)) }

// Place returns FILE:LINE of an item of the module; with FromHere, the path from the working directory
// instead of the file's name.
func (r Redactor) Place(it source.Item) string {
	at := source.Where(it)
	if !r.FromHere {
		return diag.Place(at)
	}
	return diag.Path(r.Module.Shown(at.Filename)) + ":" + strconv.Itoa(at.Start.Line)
}

// NewRedactor returns a Redactor for the values of a module. It always hides sensitive values, and with
// redact also all values that aren't in effect.
func NewRedactor(m *load.Module, redact bool) Redactor { return Redactor{Module: m, Redact: redact} }

// IsSecret reports whether an item is an argument with a sensitive value, which is never shown.
func (r Redactor) IsSecret(it source.Item) bool {
	a, ok := it.(*source.Attr)
	return ok && r.Module.Secrets().Covers(a)
}

// Hides reports whether an item's value must not be shown even if it is in effect.
func (r Redactor) Hides(it source.Item) bool {
	_, isAttr := it.(*source.Attr)
	return isAttr && r.All || r.IsSecret(it)
}

// Earlier words the value of an item that isn't in effect any more, as Value does, but says so if --redact hides it.
// A secret is hidden anyway, and Value says that more precisely.
func (r Redactor) Earlier(it source.Item) string {
	if r.Redact && !r.IsSecret(it) {
		return RedactedValue
	}
	return r.Value(it)
}

// Value words an item's value: its text if that is short, else its kind and size ("a 12-line heredoc"). For a
// hidden value it says so.
func (r Redactor) Value(it source.Item) string {
	switch {
	case r.IsSecret(it):
		return SensitiveValue
	case r.Hides(it):
		return RedactedValue
	}
	switch it := it.(type) {
	case *source.Attr:
		return Brief(ShownText(it.Display(), it.Raw()))
	case *source.Block:
		lines := bytes.Count(it.File.Text(it.Extent()), []byte("\n")) + 1
		return sized(lines, "line", BlockNoun(it))
	}
	return ""
}

// ShownText returns how to show a value that has two forms: text, in native syntax, and given, the JSON in the file.
// It returns given if only given fits on one line, otherwise text. An empty text doesn't count as one line, and given
// may be nil.
func ShownText(text, given []byte) []byte {
	isGivenShort := given != nil && bytes.IndexByte(given, '\n') < 0
	if isTextShort := len(text) > 0 && bytes.IndexByte(text, '\n') < 0; isGivenShort && !isTextShort {
		return given
	}
	return text
}

// IsText reports whether words, which Value returned for an argument, are the text of the value, not a
// description.
func IsText(a *source.Attr, words string) bool {
	return words == safetext.Printable(string(a.Display())) || words == safetext.Printable(string(a.Raw()))
}

// Name returns the path to an item within the top-level block around it: "lifecycle.enabled".
func Name(it source.Item) string {
	name := diag.Escape(it.Called())
	for b := it.Within(); b != nil && b.Within() != nil; b = b.Within() {
		name = diag.Escape(b.Type) + "." + name
	}
	return name
}

// BlockNoun returns a block's type and labels as a noun: provisioner "file" block.
func BlockNoun(b *source.Block) string {
	text := diag.Escape(b.Type)
	for _, l := range b.Labels {
		text += " " + strconv.Quote(l)
	}
	return text + " block"
}

// Brief returns the text of a short value, and for a long one its kind and size ("a 12-line heredoc").
func Brief(text []byte) string {
	lines, columns, kind := bytes.Count(text, []byte("\n"))+1, utf8.RuneCount(text), kindOf(text)
	switch {
	case kind == "heredoc":
		return sized(max(0, lines-2), "line", "heredoc") // without the markers
	case lines > 1:
		return sized(lines, "line", kind)
	case columns > maxValue:
		return sized(columns, "column", kind)
	}
	return safetext.Printable(string(text))
}

// sized words the size of a thing, with its article: "an 8-line heredoc" for 8, "line" and "heredoc".
func sized(n int, unit, noun string) string {
	number := strconv.Itoa(n)
	return fmt.Sprintf("%s %s-%s %s", strings.ToLower(diag.Article(number)), number, unit, noun)
}

// kindOf returns the noun for an expression, guessed from how it starts and ends.
func kindOf(text []byte) string {
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("<<")) {
		return "heredoc"
	}
	if len(text) > 1 {
		switch string([]byte{text[0], text[len(text)-1]}) {
		case `""`:
			return "string"
		case "{}":
			return "object"
		case "[]":
			return "list"
		}
	}
	return "expression"
}

// InEffect words the effective value of a merged item: the computed one if there is one, or else that of the
// item it.
func (r Redactor) InEffect(e *merge.MergedItem, it source.Item) string {
	if e.Value != nil && !r.Hides(it) {
		return Brief(computed.NativeText(e.Value))
	}
	return r.Value(it)
}

// ComputedFrom words how the step s computed a value that no file contains: a type lost the defaults of its
// optional() attributes or got those of another type, or a type converted a default.
func (r Redactor) ComputedFrom(s *merge.Step) string {
	switch {
	case len(s.Value().Changes) > 0: // a type whose optional() defaults were changed
		if s.Value().From == nil {
			return "without its optional defaults, which have no effect"
		}
		return fmt.Sprintf("with the optional defaults of the type at %s", r.Place(s.Value().From))
	case s.By().Called() != s.Value().Of.Called(): // the cause is the argument type, not default itself
		return fmt.Sprintf("default converted by the type at %s", r.Place(s.By()))
	}
	return "default converted"
}

// Drops words which keys of earlier objects the replacing argument leaves out: "drops Cost"; "" if none is
// known, or if the values are sensitive.
func (r Redactor) Drops(a *source.Attr, earlier []source.Item) string {
	keys := r.DroppedNames([]source.Item{a}, earlier)
	if len(keys) == 0 {
		return ""
	}
	return "drops " + Some(keys, ", ")
}

// DroppedNames lists the parts of earlier items that the items replacing them, effective, leave out: keys of
// objects, and arguments and blocks in nested blocks. For sensitive values it lists nothing.
func (r Redactor) DroppedNames(effective, earlier []source.Item) []string {
	if len(effective) == 0 || r.IsSecret(effective[0]) {
		return nil
	}
	return values.Dropped(r.Module, effective, earlier)
}

// Shorten returns at most most characters of a line. If it cuts any, the last one is an ellipsis.
func Shorten(line string, most int) string {
	if len(line) <= most || utf8.RuneCountInString(line) <= most {
		return line
	}
	return string([]rune(line)[:most-1]) + "…"
}

// Some joins at most three words, followed by the number of the others: "a, b, c … 2 more".
func Some(words []string, separator string) string {
	const most = 3
	if len(words) > most {
		return fmt.Sprintf("%s … %d more", strings.Join(words[:most], separator), len(words)-most)
	}
	return strings.Join(words, separator)
}

// Count returns a number with its noun: "1 block", "2 blocks".
func Count(n int, noun string) string { return Number(n, noun, noun+"s") }

// Number returns a number with the word for one or for several: "1 entry", "2 entries".
func Number(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}

// CountOf words how many items of each name there are, and where: "2 ingress blocks (main.tf:3, main.tf:7)".
func CountOf(items []source.Item) string {
	var words []string
	for len(items) > 0 {
		name, kind := items[0].Called(), " block"
		if _, isAttr := items[0].(*source.Attr); isAttr {
			kind = " argument"
		}
		hasName := func(it source.Item) bool { return it.Called() == name }
		isOther := func(it source.Item) bool { return !hasName(it) }
		places := PlacesOf(slices.DeleteFunc(slices.Clone(items), isOther))
		items = slices.DeleteFunc(slices.Clone(items), hasName) // the rest, for the next round
		words = append(words, fmt.Sprintf("%s (%s)", Count(len(places), diag.Escape(name)+kind), Some(places, ", ")))
	}
	return strings.Join(words, ", ")
}

// ReplacedBy words replaced items as CountOf does. If live, the items that replace them, are fewer, it adds their
// number: "2 ingress blocks (main.tf:3, main.tf:7) with 1". It doesn't if the replaced items have several names or
// are from several files: these may have replaced each other before, so the numbers would mislead.
func ReplacedBy(live, replaced []source.Item) string {
	isOther := func(it source.Item) bool {
		return it.Source() != replaced[0].Source() || it.Called() != replaced[0].Called()
	}
	if len(live) < len(replaced) && !slices.ContainsFunc(replaced, isOther) {
		return fmt.Sprintf("%s with %d", CountOf(replaced), len(live))
	}
	return CountOf(replaced)
}

// PlacesOf returns FILE:LINE of each item.
func PlacesOf(items []source.Item) (places []string) {
	for _, it := range items {
		places = append(places, Place(it))
	}
	return places
}

// WhyIdle words why an item has no effect: "OpenTofu never uses it". It is only for such items: for any other
// outcome, the words may be wrong.
func WhyIdle(o merge.Outcome) string {
	a, isAttr := o.Item.(*source.Attr)
	product := o.Item.Source().Engine.Product.Title()
	switch {
	// A null or [] in JSON, read as no nested block. Native syntax can't write that, so the value has no native text.
	case isAttr && a.IsVoid() && len(a.File.Text(a.Value())) == 0:
		return "means no block"
	case o.By != nil: // the item that the engine keeps
		return Place(o.By) + " stays"
	case o.Rule.TofuOnly:
		return product + " ignores it in .tf files"
	case o.Rule.Unused:
		return product + " never uses it"
	case o.Rule.Unsayable: // it has an effect that no configuration can express
		return "can't be printed here"
	case o.Rule.Do == rules.Drop || o.Rule.Do == rules.KeepEarlier:
		return product + " does not merge it"
	}
	return product + " ignores this value"
}

// WhyNotPrinted words why an override's item isn't printed in the result. It returns "" if the item is printed, if an
// override superseded it, and for an item of a primary file. o is the outcome of the item in e.
func WhyNotPrinted(e *merge.MergedItem, o merge.Outcome) string {
	switch {
	case !source.IsOverride(o.Item): // only overrides need a reason
	case o.Status == effect.StatusUndecided:
		return WhyUndecided(o)
	case o.Status == effect.StatusHidden && o.By != nil && !source.IsOverride(o.By):
		return "outranked by " + Name(o.By) + " at " + Place(o.By)
	// Without effect: but not a block whose items are judged one by one, nor an item that is printed all the same.
	case o.Status == effect.StatusNoEffect && !e.IsReportedByItems(o.Item) && !e.Has(o.Item):
		return WhyIdle(o)
	}
	return ""
}

// WhyUndecided words what would decide whether an item has an effect, if the files alone don't.
func WhyUndecided(o merge.Outcome) string {
	switch {
	case o.By == nil:
		return "what it overrides may be in a file that can't be read or parsed"
	case source.IsGuess(o.Item) || source.IsGuess(o.By): // an argument or a nested block, in JSON
		return "needs --provider-schema"
	}
	return "depends on the provider's schema"
}

// SensitiveValue replaces a value that must not be shown.
const SensitiveValue = "(sensitive value)"

// Outranks starts the note on an argument that takes precedence over others.
const Outranks = "outranks"
