package section

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/tofumerge/tofumerge/internal/load/diag"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Roughly how many bytes of HTML the parts need besides their text.
const (
	rowCost     = 50
	noteCost    = 310
	changeCost  = 110
	foldCost    = 110
	goneCost    = 230
	findingCost = 270
	legendCost  = 70
)

// A fileText is a primary file as it is after the merge.
type fileText struct {
	Name  string // empty for the file that is made if there is no primary one
	Parts []*part
}

// A part of a file is a block that overrides touch, or the text between such blocks.
type part struct {
	Rows []*row // of the block
	Fold *fold
}

// A fold is text that no override touches.
type fold struct {
	Lines int
	Text  string // empty if it is left out
	Where string // the lines' numbers; empty inside of a block
	File  string // that it is all of, if it needs the name

	source func() []byte // its text, once there is room for it
}

// isTouched reports whether overrides touch anything in the file.
func (t fileText) isTouched() bool {
	return slices.ContainsFunc(t.Parts, func(p *part) bool { return p.Fold == nil })
}

// Of is the fold of a whole file, with the file's name.
func (f *fold) Of(file string) *fold {
	named := *f
	named.File, named.Where = file, ""
	return &named
}

// A builder makes the texts of a module.
type builder struct {
	m      *merge.Module
	redact wording.Redactor
	// outranked are the defaults that variables files outrank.
	outranked layers.OutrankedDefaults
	id        string
	notes     int // that have an id
	room      int // bytes that are left
	classes   map[*source.File]string
	near      *blockFacts                       // the facts about the current block
	joint     map[*merge.MergedItem]*blockFacts // by the owner of several blocks: the facts about all of them
	all       *blockFacts                       // computed when needed for another block
	findings  map[*merge.MergedItem][]*finding  // those that are not shown yet
	folds     []*fold
	secrets   map[*source.File][][2]int // computed on demand
}

func newBuilder(m Module, o Options, id string, found []*finding) *builder {
	b := &builder{
		m:         m.Merged,
		redact:    wording.NewRedactor(m.Merged.Source, o.Redact),
		outranked: m.Outranked,
		id:        id,
		room:      o.Room,
		classes:   map[*source.File]string{},
		near:      newBlockFacts(),
		joint:     map[*merge.MergedItem]*blockFacts{},
		findings:  map[*merge.MergedItem][]*finding{},
		secrets:   map[*source.File][][2]int{},
	}
	for _, f := range m.Merged.Source.Files {
		if f.Role == source.Override {
			b.classes[f] = classOf(len(b.classes))
		}
	}
	bounded := check.Bounded(m.Findings)
	for i, f := range found {
		if e := bounded[i].Item; e != nil {
			b.findings[e] = append(b.findings[e], f)
		}
	}
	return b
}

// withheld explains why the text of the module must not be shown; empty if it may.
func (b *builder) withheld() string {
	for _, f := range b.m.Source.Files {
		if b.m.Source.Secrets().Withholds(f) {
			return fmt.Sprintf("%s is a link that points outside the repository, so only the changes are shown.", visibleLine(f.Name))
		}
	}
	return ""
}

// unsayable explains why the configuration has no text in native syntax; empty if it has one.
func (b *builder) unsayable(files []*plan.File) string {
	for _, d := range plan.Inexpressible(b.m.Source, func() plan.PrintedItems { return plan.PrintedWhole(files) }) {
		if d.Severity == hcl.DiagError && d.Subject != nil {
			return fmt.Sprintf("Native syntax can't express the value at %s, so only the changes are shown.", visibleLine(diag.Place(*d.Subject)))
		}
	}
	return ""
}

// texts are the primary files, with the effects of overrides, and how much is left out.
func (b *builder) texts(files []*plan.File) (list []fileText, left string) {
	plan.AddMarked(b.m, files, maps.Keys(b.outranked))
	blocks, unchanged := 0, 0
	for _, f := range files {
		isFull := b.room <= 0
		w := &fileBuilder{builder: b, file: f}
		text := w.build()
		blocks += w.left
		if isFull {
			unchanged++
			continue
		}
		list = append(list, text)
	}
	for _, f := range b.folds {
		text := f.source()
		if n := cost(text); n <= b.room {
			b.room -= n
			f.Text = visible(text)
		}
	}
	switch {
	case blocks > 0:
		left = wording.Count(blocks, "more touched block") + " not shown."
	case unchanged > 0:
		left = wording.Count(unchanged, "more unchanged file") + " not shown."
	}
	return list, left
}

// fold is a new fold, whose text is computed last, when everything else has its room.
func (b *builder) fold(where string, lines int, text func() []byte) *fold {
	b.room -= foldCost
	f := &fold{Lines: lines, Where: where, source: text}
	b.folds = append(b.folds, f)
	return f
}

// A fileBuilder makes the text of one file.
type fileBuilder struct {
	*builder
	file  *plan.File
	parts []*part
	at    int // all text before it is in a part
	left  int // blocks without room on the page

	counted, lines int // an offset, and how many line ends are before it
}

func (w *fileBuilder) build() fileText {
	text := fileText{}
	w.extra(w.file.Before)
	if f := w.file.File; f != nil {
		text.Name = visibleLine(f.Name)
		for _, i := range w.file.Indexes() {
			w.own(w.file.Blocks[i])
		}
		w.between(len(f.Native))
	}
	w.extra(w.file.After)
	text.Parts = w.parts
	return text
}

// own adds one of the file's own blocks, and those that follow it.
func (w *fileBuilder) own(block *plan.Block) {
	around := source.TriviaOf(block.Source)
	if block.Content != nil {
		w.between(around.Lead)
		w.block(block, native.OwnText)
		w.at = around.End
	}
	if len(block.Behind) > 0 {
		w.between(around.End)
		w.extra(block.Behind)
	}
}

// extra adds blocks that the file gets from elsewhere.
func (w *fileBuilder) extra(blocks []*plan.Block) {
	for _, block := range blocks {
		w.block(block, func(block *plan.Block) []byte { return native.AddedText(block, w.file.LineEnd) })
		w.extra(block.Behind)
	}
}

// block adds a block as far as there is room for it. Only then its text is made.
func (w *fileBuilder) block(block *plan.Block, text func(*plan.Block) []byte) {
	if w.room <= 0 {
		w.left++
		return
	}
	w.turnTo(block)
	w.parts = append(w.parts, &part{Rows: w.rows(block, bytes.Trim(text(block), "\r\n"))})
}

// between adds the untouched text before an offset of the file.
func (w *fileBuilder) between(end int) {
	f, from := w.file.File, w.at
	w.at = max(w.at, end)
	if from >= end || w.room <= 0 {
		return
	}
	text := f.Native[from:end]
	if len(bytes.TrimSpace(text)) == 0 {
		return
	}
	start := from + len(text) - len(bytes.TrimLeft(text, "\r\n"))
	lines := bytes.Count(bytes.Trim(text, "\r\n"), []byte("\n")) + 1
	where := ""
	if f.Syntax == source.Native {
		w.lines += bytes.Count(f.Native[w.counted:start], []byte("\n"))
		w.counted = start
		line := w.lines + 1
		where = fmt.Sprintf("%d–%d", line, line+lines-1)
	}
	fold := w.fold(where, lines, func() []byte {
		return bytes.Trim(w.builder.shown(f, from, end), "\r\n")
	})
	w.parts = append(w.parts, &part{Fold: fold})
}

// hiddenText replaces a value that must not be shown. It is an expression.
const hiddenText = `"` + wording.SensitiveValue + `"`

// shown is a stretch of a file without the values that are not to be shown.
func (b *builder) shown(f *source.File, from, to int) []byte {
	var edits []textedit.Edit
	all := b.secretsOf(f)
	first := sort.Search(len(all), func(i int) bool { return all[i][0] >= from })
	for _, h := range all[first:] {
		if h[1] > to {
			break
		}
		edits = append(edits, textedit.Replace(h[0], h[1], hiddenText))
	}
	return textedit.Apply(f.Native, from, to, edits)
}

// The facts about entries take several times the memory of the module, and a page shows only a part
// of it. So they are computed block by block, when the block is shown.

// blockFacts are the addresses and the changes of some entries.
type blockFacts struct {
	names   map[*merge.MergedItem]address.Address
	changes map[*merge.MergedItem][]*changes.Change
}

func newBlockFacts() *blockFacts {
	return &blockFacts{map[*merge.MergedItem]address.Address{}, map[*merge.MergedItem][]*changes.Change{}}
}

func (a *blockFacts) name(own address.Address, e *merge.MergedItem) { a.names[e] = own }

func (a *blockFacts) change(b *changes.Block) {
	for i := range b.Changes {
		c := &b.Changes[i]
		a.changes[c.Item] = append(a.changes[c.Item], c)
	}
}

// turnTo computes the facts about the entries in a block. The blocks of one owner share them, since
// each block would cost as much as all.
func (b *builder) turnTo(block *plan.Block) {
	top := b.m.Root.Owner(block.Source)
	if b.near = b.joint[top]; b.near != nil {
		return
	}
	b.near = newBlockFacts()
	if top == nil || !address.WalkOne(b.m, top, b.near.name) {
		return
	}
	if len(top.Live) > 1 {
		b.joint[top] = b.near
	}
	if changed, _ := changes.In(b.m, top); changed != nil {
		b.near.change(changed)
	}
}

// about returns the facts about an entry: those of the current block, or else of all.
func (b *builder) about(e *merge.MergedItem) *blockFacts {
	if _, isNear := b.near.names[e]; isNear {
		return b.near
	}
	if b.all == nil {
		b.all = newBlockFacts()
		address.Walk(b.m, b.all.name)
		changes.Each(b.m, b.all.change)
	}
	return b.all
}

// secretsOf lists the stretches of a file's native text that are not to be shown, in order.
func (b *builder) secretsOf(f *source.File) [][2]int {
	if known, ok := b.secrets[f]; ok {
		return known
	}
	hidden := b.m.Source.Secrets()
	list := hidden.In(f, 0, len(f.Raw))
	if f.Syntax == source.JSON && len(list) > 0 {
		list = nil
		for i := range f.Len() {
			list = append(list, hidden.CoveredIn(f.Block(i))...)
		}
	}
	b.secrets[f] = list
	return list
}

// hide replaces the value of an argument as it is printed.
func (w *walker) hide(printed *hclsyntax.Attribute) {
	at := printed.Expr.Range()
	w.hidden = append(w.hidden, textedit.Replace(at.Start.Byte, at.End.Byte, hiddenText))
}
