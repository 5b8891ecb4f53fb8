// Package rewrite makes the merge's changes to the files of a module, each in its own syntax, and
// writes override files.
//
// The bytes that a change doesn't reach stay; new properties of JSON take the layout of their
// neighbours. CarryComments adds the comments that tools act on from overrides to flattened files.
// Files are texts here; nothing is written to the disk.
package rewrite

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// Diff compares each primary file with its merged form, in its own syntax. It returns the files in
// load order, including unchanged ones, and diagnostics about parts that the syntax of a file can't
// express: warnings, and errors if the differences must not be used.
func Diff(m *merge.Module) ([]*patch.File, hcl.Diagnostics) {
	var diffs []*patch.File
	files := plan.Arrange(m)
	texts := native.TextsOf(files)
	diags := plan.Inexpressible(m.Source, func() plan.PrintedItems { return itemsInNativeFiles(files) })
	for _, file := range files {
		diags = append(diags, movedConstraints(file, m.Source)...)
		switch {
		case file.File == nil: // the file is made for a module without primary files
			d := patch.Diff(newFileName(m.Source), nil, texts.Edits(file))
			d.IsNew = true
			diffs = append(diffs, d)
		case file.File.Syntax == source.Native:
			diffs = append(diffs, patch.Diff(file.File.Name, file.File.Native, texts.Edits(file)))
		default: // a JSON file
			edits, unsaid := Edits(m, file)
			diffs = append(diffs, patch.Diff(file.File.Name, file.File.Raw, edits))
			diags = append(diags, unsaid...)
		}
	}
	return diffs, diags
}

// movedConstraints warns of each version constraint of an override file that goes to a file in which it takes
// or loses effect: OpenTofu heeds some constraints (Rule.TofuOnly) only in .tofu files.
func movedConstraints(file *plan.File, m *load.Module) (diags hcl.Diagnostics) {
	// Whether the file that the constraints go to is a .tofu file.
	isTofu := file.File == nil && strings.HasSuffix(newFileName(m), ".tofu") || file.File != nil && file.File.Tofu
	// Warns if e is such a constraint and the file that it leaves is of the other kind.
	check := func(e *merge.MergedItem) {
		if !e.InEffect() || !e.Rule.TofuOnly {
			return
		}
		if it := e.Live[0]; source.IsOverride(it) && it.Source().Tofu != isTofu {
			diags = append(diags, movedConstraintWarning(it, isTofu))
		}
	}
	for _, block := range file.Extra() {
		if block.Item != nil {
			check(block.Entry) // a constraint that gets a terraform block of its own
		} else if block.Content != nil {
			for _, e := range block.Content.Items {
				check(e)
			}
		}
	}
	m.PlaceOnDisk(diags)
	return diags
}

// newFileName returns the name of the primary file to create for a module that consists of override files only:
// main.tofu if an override file that only OpenTofu reads has required_version, because OpenTofu ignores that in .tf
// files, otherwise main.tf.
func newFileName(m *load.Module) string {
	for _, f := range m.Files {
		for i := range f.Len() {
			if f.Tofu && language.RequiresVersion(f.Block(i)) {
				return "main.tofu"
			}
		}
	}
	return "main.tf"
}

// itemsInNativeFiles returns the items that overrides changed or added in native primary files. Those that come
// from JSON files may be impossible to express there.
func itemsInNativeFiles(files []*plan.File) plan.PrintedItems {
	var list []*plan.Block
	for _, file := range files {
		if file.File == nil || file.File.Syntax == source.Native {
			list = append(list, file.Made()...)
		}
	}
	return plan.PrintedIn(list, false)
}

// movedConstraintWarning returns the warning about a version constraint that moves from a .tf file to a .tofu file
// (isTofu) or the other way round.
func movedConstraintWarning(it source.Item, isTofu bool) *hcl.Diagnostic {
	what := "The patch moves this constraint to a .tf file, where the engine ignores it. Move it to a .tofu file."
	if isTofu {
		what = "The patch moves this constraint to a .tofu file, where it takes effect; it had none before. Remove it if you don't want it."
	}
	return diag.Warning(it.Header(), "Version constraint changes its effect", "%s", what)
}

// A loader loads a module that consists of the given texts, by file name.
type loader func(files map[string][]byte) (*load.Module, hcl.Diagnostics, error)

// Into returns the text of override file f of module m with more parts in it. Parts of blocks that f declares are
// merged into those, and other blocks are appended. Everything else keeps its bytes. read loads a module in memory,
// which serves for merging. Diagnostics report parts and comments that the syntax of the file can't express.
func Into(f *source.File, m *load.Module, parts []*merge.Part, read loader) ([]byte, hcl.Diagnostics) {
	diags := CommentsLeftOut(parts, f.Name)
	m.PlaceOnDisk(diags)
	text := f.Raw
	known, fresh := splitKnown(f, parts)
	// Type by type, so that a type that fails to merge leaves the others alone.
	for _, group := range byType(known) {
		if merged := mergedInto(text, f, m, group, read); merged != nil {
			text = merged
		} else {
			fresh = append(fresh, group...) // as further blocks, which the engine merges when it loads the file
		}
	}
	if len(fresh) == 0 {
		return text, diags
	}
	// The remaining parts become further blocks.
	if f.Syntax == source.JSON {
		text, more := Add(text, f.LineEnd, fresh)
		return text, append(diags, more...)
	}
	diags = append(diags, plan.Inexpressible(m, func() plan.PrintedItems { return plan.PrintedOf(fresh) })...)
	return withAppended(text, f.LineEnd, native.Made(fresh)), diags
}

// byType groups parts by the types of their blocks, in the order in which the types first appear.
func byType(parts []*merge.Part) (groups [][]*merge.Part) {
	at := map[string]int{} // by block type, the index of its group
	for _, p := range parts {
		i, known := at[p.Item.Called()]
		if !known {
			i = len(groups)
			at[p.Item.Called()] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// mergedInto returns text, the contents of override file f, with parts merged into the blocks that f already
// declares. So that the usual merge does that, it loads a module in which text is the primary file and the parts are
// its override file. It returns nil if that fails, or if an argument would get lost.
func mergedInto(text []byte, f *source.File, m *load.Module, parts []*merge.Part, read loader) []byte {
	// The parts as the text of an override file.
	made, diags := Made(m, f.Name, parts)
	if diags.HasErrors() {
		return nil
	}
	// .tf, .tofu, .tf.json or .tofu.json: both files of the module have the syntax of f.
	ending := f.Name[strings.LastIndex(f.Name, overrideStem)+len(overrideStem):]
	primary := "main" + ending
	src, diags, err := read(map[string][]byte{primary: text, overrideStem + ending: made})
	if err != nil || diags.HasErrors() {
		return nil
	}
	// If an item is hidden, the merge takes it out of the file: an argument would get lost.
	merged, diags := merge.Files(src, merge.Options{})
	if diags.HasErrors() || hidesItems(merged) {
		return nil
	}
	files, diags := Diff(merged)
	i := slices.IndexFunc(files, func(d *patch.File) bool { return d.Name == primary })
	if diags.HasErrors() || i < 0 || len(files) > 1 { // the primary file alone must hold everything
		return nil
	}
	return files[i].New()
}

// hidesItems reports whether an override outranks an argument of another name, as count outranks for_each.
// Merging would take that argument out of the file, with the comments above it.
func hidesItems(m *merge.Module) (hides bool) {
	wantsUnchangeable := func(*source.File, int) bool { return false } // visit only blocks that overrides can change
	address.WalkSome(m, wantsUnchangeable, func(_ address.Address, e *merge.MergedItem) {
		hides = hides || slices.ContainsFunc(e.Outcomes(), func(o merge.Outcome) bool { return o.Status == effect.StatusHidden })
	})
	return hides
}

// overrideStem precedes the extension in the names of override files, such as a_override.tf.
const overrideStem = "override"

// splitKnown separates the parts of blocks that f declares from those of other blocks.
func splitKnown(f *source.File, parts []*merge.Part) (known, fresh []*merge.Part) {
	has := map[string]bool{}
	for i := range f.Len() {
		has[f.Block(i).Address()] = true
	}
	for _, p := range parts {
		if b, isBlock := p.Item.(*source.Block); isBlock && has[b.Address()] {
			known = append(known, p)
		} else {
			fresh = append(fresh, p)
		}
	}
	return known, fresh
}

// withAppended returns text followed by made, which is one or more blocks, with a blank line between the two.
func withAppended(text []byte, eol string, made []byte) []byte {
	text = bytes.Clone(text)
	if rest := bytes.TrimRight(text, " \t\r\n"); len(rest) == 0 {
		text = rest
	} else if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, eol+eol...)
	} else if !bytes.HasSuffix(text, []byte(eol+eol)) {
		text = append(text, eol...)
	}
	return append(text, made...)
}

// Made returns the text of a new file called name that consists of parts of a module. The name decides the syntax.
// Diagnostics are about parts that the syntax can't express: with errors among them the text must not be used.
func Made(m *load.Module, name string, parts []*merge.Part) ([]byte, hcl.Diagnostics) {
	lost := CommentsLeftOut(parts, name)
	m.PlaceOnDisk(lost)
	if !strings.HasSuffix(name, ".json") {
		return native.Made(parts), append(plan.Inexpressible(m, func() plan.PrintedItems { return plan.PrintedOf(parts) }), lost...)
	}
	document, diags := jsonout.Made(parts)
	m.PlaceOnDisk(diags)
	diags = append(diags, lost...)
	var out bytes.Buffer
	_ = document.Write(&out) // a buffer takes all
	return out.Bytes(), diags
}

// ToolComments are words by which tools recognize the comments that they act on.
var ToolComments = []string{
	"tflint-ignore", "trivy:ignore", "tfsec:ignore", "checkov:skip", "infracost-usage", "terraform-docs",
}

// CarryComments copies the comments that contain one of words, such as "# tflint-ignore: one", into the flattened
// files, above the items that they are about. Without that, a tool would miss those that the merge left out. It
// returns the files with the comments. It also returns the comments that now cover more than they did: they come from
// an override file, and stand above an item that a primary file declares, too.
func CarryComments(m *merge.Module, files []*patch.File, words []string) ([]*patch.File, []Comment) {
	wanted := toolComments(m, words)
	if len(wanted) == 0 {
		return files, nil
	}
	flat, _ := Reload(m, files)
	if flat == nil {
		return files, nil
	}
	// Where the items are in the flattened texts is known only once those are loaded.
	c := &carrier{targets: map[address.Address]source.Item{}, edits: map[string][]textedit.Edit{}, added: map[source.Item][]string{}}
	address.WalkAll(flat, func(own address.Address, e *merge.MergedItem) {
		if len(e.Live) > 0 {
			c.targets[own] = e.Live[0]
		}
	})
	// Collect the insertions in c.edits, then make them, file by file.
	for _, w := range wanted {
		c.carryComment(w)
	}
	out := slices.Clone(files)
	for i, d := range out {
		if edits := c.edits[d.Name]; len(edits) > 0 {
			slices.SortStableFunc(edits, func(a, b textedit.Edit) int { return a.Start - b.Start })
			out[i] = d.Inserted(edits)
		}
	}
	return out, c.carried
}

// Reload loads and merges the flattened files of a module as a module of their own, without overrides. It returns
// nil if there are no files.
func Reload(m *merge.Module, flattened []*patch.File) (*merge.Module, hcl.Diagnostics) {
	texts := map[string][]byte{}
	for _, d := range flattened {
		texts[d.Name] = d.New()
	}
	flat, diags, _ := merge.Dir(m.Source.Dir, load.Options{ // an error means that there are no files
		Engine: m.Source.Engine, Schema: m.Source.Schema, MaxFileSize: 1 << 40, From: m.Source.From,
		Contents: texts, Absent: func(string) bool { return true }, // only these files, none from the disk
	}, merge.Options{})
	return flat, diags
}

// A Comment is a line above an item.
type Comment struct {
	Address  address.Address // of the item
	File     string
	Line     int
	text     string
	isShared bool // it is from an override file, and a primary file has the item, too
}

// toolComments lists the comments with one of words above the items of blocks that overrides may change, in primary
// and in override files, whether the items are in effect or not.
func toolComments(m *merge.Module, words []string) (list []Comment) {
	has := map[*source.File]bool{} // files that contain one of the words at all
	for _, f := range m.Source.Files {
		has[f] = f.Syntax != source.JSON && slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(f.Native, []byte(w)) })
	}
	// If none does, the walk is saved.
	if !slices.Contains(slices.Collect(maps.Values(has)), true) {
		return nil
	}
	wantsUnchangeable := func(*source.File, int) bool { return false } // visit only blocks that overrides can change
	address.WalkSome(m, wantsUnchangeable, func(own address.Address, e *merge.MergedItem) {
		// Blocks without labels are replaced as a whole: each has its own comments.
		if e.Rule.Match == rules.ByPosition && e.Inner() == nil {
			return
		}
		// Whether a primary file declares the item, too: a comment of an override file then covers more than it did.
		isShared := slices.ContainsFunc(e.Steps, func(s merge.Step) bool { return s.Item != nil && s.Item.Source().Role == source.Primary })
		// The item in each file that declares it.
		for i := range e.Steps {
			if it := e.Steps[i].Item; it != nil && has[it.Source()] {
				list = append(list, toolCommentsAbove(own, it, words, isShared && it.Source().Role == source.Override)...)
			}
		}
	})
	return list
}

// toolCommentsAbove lists the comment lines directly above an item that contain one of words. own is the item's
// address; isShared is copied to each comment.
func toolCommentsAbove(own address.Address, it source.Item, words []string, isShared bool) (list []Comment) {
	around, f := source.TriviaOf(it), it.Source()
	if !around.HasLead() {
		return nil
	}
	at := source.Where(it).Start
	// The number of the first comment line: the item's, less the line ends between the two.
	line := at.Line - bytes.Count(f.Native[around.Lead:at.Byte], []byte("\n"))
	for text := range strings.Lines(string(f.Native[around.Lead:around.Start])) {
		text = strings.TrimSpace(text)
		isComplete := strings.HasPrefix(text, "#") || strings.HasPrefix(text, "//") ||
			strings.HasPrefix(text, "/*") && strings.Index(text, "*/") == len(text)-2 // it ends with the line
		if isComplete && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
			list = append(list, Comment{own, f.Name, line, text, isShared})
		}
		line++
	}
	return list
}

// A carrier inserts comments into the flattened files of a module.
type carrier struct {
	targets map[address.Address]source.Item // the items of the flattened module
	edits   map[string][]textedit.Edit      // by file name
	carried []Comment                       // the result of CarryComments
	added   map[source.Item][]string        // the comments inserted above an item so far
}

// carryComment inserts a comment above the item that it is about or, if the flattened module lacks that, above the
// nearest block around it. A comment that already stands there isn't repeated.
func (c *carrier) carryComment(w Comment) {
	// Up to the nearest address that the flattened module has.
	for c.targets[w.Address] == nil {
		if w.Address.IsEmpty() {
			return
		}
		w.Address = w.Address.Parent()
	}
	it := c.targets[w.Address]
	f := it.Source()
	// A JSON file can't have the comment.
	if f.Syntax == source.JSON {
		return
	}
	if w.isShared { // it now covers what the primary file has as well, so it is reported
		c.carried = append(c.carried, w)
	}
	// The comment stands there already: nothing is inserted.
	if c.hasAbove(it, w.text) {
		return
	}
	// It goes on a line of its own directly above the item.
	c.added[it] = append(c.added[it], w.text)
	start := source.TriviaOf(it).Start
	at, indent := textedit.LineStart(f.Native, start), textedit.IndentAt(f.Native, start)
	c.edits[f.Name] = append(c.edits[f.Name], textedit.Replace(at, at, indent+w.text+f.LineEnd))
}

// hasAbove reports whether a comment line stands above an item, or was inserted there.
func (c *carrier) hasAbove(it source.Item, text string) bool {
	around := source.TriviaOf(it)
	for line := range strings.Lines(string(it.Source().Native[around.Lead:around.Start])) {
		if strings.TrimSpace(line) == text {
			return true
		}
	}
	return slices.Contains(c.added[it], text)
}
