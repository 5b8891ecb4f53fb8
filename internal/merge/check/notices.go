package check

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// noticeStart starts every notice.
const noticeStart = "# overridden: "

// The parts of a notice. A name that holds more than its pattern is written as
// a Go string.
const (
	plainNames   = `[\pL\pM\pN_.-]+`
	quoted       = `"(?:[^"\\]|\\.)*"`
	noticeNames  = `(?:` + plainNames + `|` + quoted + `)`
	noticeOfFile = `(?:[A-Za-z0-9._-]+|` + quoted + `) \(` + noticeNames + `(?:, ` + noticeNames + `)*\)`
)

var (
	plainName = lazyregexp.New(`^` + plainNames + `$`)
	noticeAll = lazyregexp.New(`^` + noticeStart + noticeOfFile + `(?:, ` + noticeOfFile + `)*$`)
)

// MayHaveNotice reports whether some block of a native file may have a notice. If it returns false, none has.
func MayHaveNotice(f *source.File) bool {
	return bytes.Contains(f.Native, []byte(noticeStart))
}

// noticeOf returns the text of the notice about the overrides of one block, or "" without any: "# overridden:
// a_override.tf (ami), b_override.tf (ami, tags)". list is in the order of files. Within a file, each name is listed
// once.
func noticeOf(list []Override) string {
	if len(list) == 0 {
		return ""
	}
	var files []string
	for len(list) > 0 { // each round takes the overrides of one file off the list
		f := list[0].By.Source()
		var names []string
		named := map[string]bool{}
		for len(list) > 0 && list[0].By.Source() == f {
			if name := list[0].Name; !named[name] {
				named[name] = true
				if !plainName().MatchString(name) {
					name = strconv.Quote(name)
				}
				names = append(names, name)
			}
			list = list[1:]
		}
		files = append(files, diag.FileName(f.Name)+" ("+strings.Join(names, ", ")+")")
	}
	return noticeStart + strings.Join(files, ", ")
}

// A Correction is what must be done about the notices above a block of a native file.
type Correction struct {
	Edits []textedit.Edit // of File.Native; after them the block has the notice that it should have, and no other
	Stale string          // what is wrong with a notice that is there, in a few words; empty if none is wrong
	At    hcl.Range       // of the first stale notice
}

// CorrectNotice compares the notices above a block with the one that it should have, and returns the edits that
// make up for the difference. overrides are those of the block in OverridesByBlock. The module must be without
// errors. A notice on the last line above the block is rewritten. Any other is removed, because nobody looks for it
// there.
func CorrectNotice(b *source.Block, overrides []Override) (c Correction) {
	src, trivia, want := b.File.Native, source.TriviaOf(b), noticeOf(overrides)
	// The comments above the block are the bytes from trivia.Lead to trivia.Start, where the block starts.
	found, endsWithNotice := noticesBetween(src, trivia.Lead, trivia.Start)
	for i, n := range found {
		isOnLastLine := endsWithNotice && i == len(found)-1
		keepsLine := isOnLastLine && want != "" // its text may have to be rewritten
		if keepsLine && string(src[n.Start:n.End]) == want {
			continue
		}
		if c.Stale == "" { // Stale and At describe the first wrong notice
			c.At = b.File.RawRange([2]uint32{uint32(n.Start), uint32(n.End)})
			c.Stale = whyStale(want != "", isOnLastLine)
		}
		edit := textedit.Replace(n.Start, n.End, want)
		if !keepsLine { // remove the line
			edit = textedit.Replace(textedit.TextStart(src, n.Start), textedit.AfterLine(src, n.End), "")
		}
		c.Edits = append(c.Edits, edit)
	}
	// Without a notice on the last line above the block, insert the right one there.
	if want != "" && !endsWithNotice {
		at := textedit.TextStart(src, trivia.Start)
		c.Edits = append(c.Edits, textedit.Replace(at, at, textedit.IndentAt(src, trivia.Start)+want+b.File.LineEnd))
	}
	return c
}

// whyStale returns what is wrong with a notice. isOverridden tells that the block should have a notice, isLast
// that this one is the last line above it.
func whyStale(isOverridden, isLast bool) string {
	switch {
	case !isOverridden:
		return "no override file touches the block"
	case isLast:
		return "it doesn't name the effective overrides"
	}
	return "it isn't the last line above the block"
}

// noticesBetween returns the notices in the lead comment of a block, which spans the bytes from lead to start.
// A notice is alone on its line. endsWithNotice tells that the lead comment ends with one.
func noticesBetween(src []byte, lead, start int) (found []parse.Comment, endsWithNotice bool) {
	for _, c := range parse.CommentsBetween(src, lead, start) {
		before := src[textedit.TextStart(src, c.Start):c.Start]
		isNotice := c.Line && len(bytes.TrimSpace(before)) == 0 && noticeAll().Match(src[c.Start:c.End])
		if isNotice {
			found = append(found, c)
		}
		endsWithNotice = isNotice
	}
	return found, endsWithNotice
}

// WithoutNotice returns a native text without the notices above its blocks.
func WithoutNotice(text []byte) []byte {
	if !bytes.Contains(text, []byte(noticeStart)) {
		return text
	}
	return textedit.Apply(text, 0, len(text), noticeRemovals(text))
}

// noticeRemovals returns the edits that remove the notices above the top-level blocks of a text, or none if
// the text can't be parsed.
func noticeRemovals(src []byte) (edits []textedit.Edit) {
	parsed, _ := parse.Config(src, "", hcl.InitialPos)
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok {
		return nil
	}
	at := 0 // end of the previous block
	for _, b := range body.Blocks {
		name := b.TypeRange.Start.Byte
		lead, start := parse.LeadingComments(src, parse.CommentsBetween(src, at, name), name)
		found, _ := noticesBetween(src, lead, start)
		for _, c := range found {
			edits = append(edits, textedit.Replace(textedit.TextStart(src, c.Start), textedit.AfterLine(src, c.End), ""))
		}
		at = b.Range().End.Byte
	}
	return edits
}

// An Override is one name in a top-level block of a primary file on which an item of
// an override file decides.
type Override struct {
	Block *source.Block
	By    source.Item
	Name  string // as seen from the block: lifecycle.prevent_destroy
}

// Overrides lists the winning overrides in blocks of primary files, in load order and within a file in source
// order.
//
// An item in effect wins, even if it repeats the earlier value. An item that a later one replaced, or that
// something else hides, doesn't win. Of a block that is merged item by item, such as lifecycle, the items win instead
// of the block, unless it is new and empty. A block also wins if it removes an item by lacking it, unless a later
// override sets the item again.
func Overrides(m *merge.Module) []Override {
	w := finder{addresses: map[*merge.MergedItem]address.Address{}}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) { w.addresses[e] = own })
	for _, e := range m.Root.Items {
		w.visit(&entryPath{content: m.Root, entry: e}) // adds to w.list
	}
	fileOrder := map[*source.File]int{}
	for i, f := range m.Source.Files {
		fileOrder[f] = i
	}
	offset := map[source.Item]int{} // of each overriding item, looked up once because that is slow
	for _, o := range w.list {
		if _, isKnown := offset[o.By]; !isKnown {
			offset[o.By] = source.Where(o.By).Start.Byte
		}
	}
	slices.SortStableFunc(w.list, func(a, b Override) int {
		return cmp.Or(fileOrder[a.By.Source()]-fileOrder[b.By.Source()], offset[a.By]-offset[b.By])
	})
	return w.list
}

// OverridesByBlock groups Overrides by block.
func OverridesByBlock(m *merge.Module) map[*source.Block][]Override {
	byBlock := map[*source.Block][]Override{}
	for _, o := range Overrides(m) {
		byBlock[o.Block] = append(byBlock[o.Block], o)
	}
	return byBlock
}

// A finder collects overrides.
type finder struct {
	addresses map[*merge.MergedItem]address.Address
	list      []Override
}

// An entryPath is a merged item with the merged items around it.
type entryPath struct {
	outer   *entryPath // nil at the top level
	content *merge.MergedBody
	entry   *merge.MergedItem
}

// visit adds the winning overrides of a merged item and of the merged items in it.
func (f *finder) visit(n *entryPath) {
	e := n.entry
	for _, o := range e.Outcomes() {
		if isWinner(e, o) {
			f.add(n, o.Item)
		}
	}
	if by := clearedBy(e); by != nil {
		f.add(n, by)
	}
	if e.Inner() == nil {
		return
	}
	for _, inner := range e.Inner().Items {
		f.visit(&entryPath{n, e.Inner(), inner})
	}
}

// isWinner reports whether the item of an outcome is an override that wins, as Overrides defines it: one in effect. The
// items in a merged block are judged one by one, so the block itself wins only if it's new and empty. An escape block
// (_) never wins: its items count as items of the block around it.
func isWinner(e *merge.MergedItem, o merge.Outcome) bool {
	switch {
	case !source.IsOverride(o.Item) || e.Rule.Do == rules.Flatten:
		return false
	case e.Inner() != nil: // merged item by item
		return o.Effect == effect.Added && o.Status == effect.StatusMerged && !e.IsReportedByItems(o.Item)
	}
	return o.Status == effect.StatusEffective
}

// clearedBy returns the override block that removed a primary file's item by omitting it, or nil if the item
// is still there or something else hid it since.
func clearedBy(e *merge.MergedItem) source.Item {
	isOfPrimary := e.Place != nil && !source.IsOverride(e.Place)
	if e.InEffect() || !isOfPrimary {
		return nil
	}
	for _, s := range slices.Backward(e.Steps) { // the last of these steps decides
		switch s.Effect {
		case effect.Cleared:
			return s.By()
		case effect.Hidden:
			return nil
		}
	}
	return nil
}

// add adds an override of an entry, unless an override file declares the top-level block itself.
func (f *finder) add(n *entryPath, override source.Item) {
	if block := n.primaryBlock(); block != nil {
		f.list = append(f.list, Override{block, override, f.name(n)})
	}
}

// primaryBlock returns the top-level block of a primary file in which an entry is printed. It's nil if the
// entry is itself at the top level, or an override file declares the block.
func (n *entryPath) primaryBlock() *source.Block {
	for ; n.outer != nil; n = n.outer { // from the entry outwards
		// If an override file added the place, too, try that of the entry around it.
		if top := source.Top(n.place()); !source.IsOverride(top) {
			return top
		}
	}
	return nil
}

// place returns the item at whose position an entry is printed or, if an override added the entry, the block in which
// or behind which it's printed.
func (n *entryPath) place() source.Item {
	switch e := n.entry; {
	case e.Place != nil:
		return e.Place
	case e.Rule.IsApart(): // printed in a block of its own
		return n.content.Beside(e)
	default:
		return n.content.AdditionBlock(e)
	}
}

// name returns the name of an entry as seen from its top-level block: lifecycle.prevent_destroy. It's without quotes,
// because noticeOf quotes unusual names as a whole.
func (f *finder) name(n *entryPath) string {
	top := n
	for top.outer != nil {
		top = top.outer
	}
	name, ok := f.addresses[n.entry].In(f.addresses[top.entry])
	switch {
	case !ok || name.IsEmpty(): // a local value has an address without its block
		return n.entry.Key.Name
	case n.entry.Rule.Match == rules.ByPosition: // provisioner says enough without the number of provisioner[0]
		name = name.Kind()
	}
	return name.Dotted()
}

// judgeUnmarked adds findings about comments of native primary blocks: they must name the files with winning
// overrides, and a notice ("# overridden: ...") must not be stale. isRefused tells that the engine refuses the
// module. Then it's unknown which notices are right.
func (f *findings) judgeUnmarked(isRefused bool) {
	byBlock := OverridesByBlock(f.m)
	for _, file := range f.m.Source.Files {
		if file.Role != source.Primary || file.Syntax != source.Native {
			continue
		}
		mayBeStale := !isRefused && MayHaveNotice(file)
		for i := range file.Len() {
			if mayBeStale || file.IsAddressed(i) { // an override file may change block i
				f.judgeUnmarkedBlock(file.Block(i), byBlock[file.Block(i)], mayBeStale)
			}
		}
	}
}

// judgeUnmarkedBlock judges the comments of one block. list are its winning overrides. It adds a finding for
// each file that no comment names. Only if all are named, and mayBeStale is set, does it check the notices.
func (f *findings) judgeUnmarkedBlock(b *source.Block, list []Override, mayBeStale bool) {
	named := filesNamedInComments(b, list)
	for _, o := range list {
		name := o.By.Source().Name
		if named[name] {
			continue
		}
		named[name], mayBeStale = true, false
		x := f.add(unmarkedOverride, b, "%s overrides this block, and no comment names it. To write one, run tofumerge check --fix --write.", diag.FileName(name))
		x.Related = &diag.Related{Note: "override", Range: source.Where(source.Top(o.By))}
	}
	if !mayBeStale {
		return
	}
	if c := CorrectNotice(b, list); c.Stale != "" {
		x := f.add(unmarkedOverride, b, "The comment above this block is stale: %s. To correct it, run tofumerge check --fix --write.", c.Stale)
		x.Related, x.Address = &diag.Related{Note: "comment", Range: c.At}, address.OfBlock(f.m, b)
	}
}

// filesNamedInComments returns the names of those override files in list that a comment above or in the block
// mentions, either plainly or quoted as package annotate writes them.
func filesNamedInComments(b *source.Block, list []Override) map[string]bool {
	named := map[string]bool{}
	if len(list) == 0 {
		return named
	}
	filesByForm := map[string][]string{} // by their names, as they are and as quoted
	isKnown := map[string]bool{}
	var lengths []int // of these forms: eachName looks only for names of these lengths
	for _, o := range list {
		name := o.By.Source().Name
		if isKnown[name] {
			continue
		}
		isKnown[name] = true
		quoted := strconv.Quote(name)
		for _, form := range []string{name, quoted[1 : len(quoted)-1]} { // the latter without the quotes
			filesByForm[form] = append(filesByForm[form], name)
			if !slices.Contains(lengths, len(form)) {
				lengths = append(lengths, len(form))
			}
		}
	}
	t := source.TriviaOf(b)
	for _, text := range parse.CommentTexts(b.File.Native[t.Lead:t.End]) {
		eachName(text, lengths, func(name string) {
			for _, file := range filesByForm[name] {
				named[file] = true
			}
		})
	}
	return named
}

// eachName visits the substrings of a text that may be file names: they have one of the lengths, and aren't
// part of a longer name. No regular expression can find them, because a file name may be any bytes.
func eachName(text string, lengths []int, visit func(string)) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	for at := range len(text) {
		if at > 0 && strings.IndexByte(letters+".", text[at-1]) >= 0 { // amid a longer name
			continue
		}
		for _, n := range lengths {
			end := at + n
			if end > len(text) {
				continue
			}
			if end == len(text) || strings.IndexByte(letters, text[end]) < 0 { // a dot may end a sentence
				visit(text[at:end])
			}
		}
	}
}
