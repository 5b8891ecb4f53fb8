package rewrite

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// A loader loads a module that consists of some files.
type loader func(files map[string][]byte) (*load.Module, hcl.Diagnostics, error)

// Into returns an override file of a module with more parts in it. Parts of existing blocks are
// merged into those, and other blocks are appended. Everything else keeps its bytes. Diagnostics
// report parts that the syntax of the file can't express, as those of Made do.
func Into(f *source.File, m *load.Module, parts []*merge.Part, read loader) ([]byte, hcl.Diagnostics) {
	diags := CommentsLeftOut(parts, f.Name)
	m.Places(diags)
	text := f.Raw
	known, fresh := split(f, parts)
	for _, group := range byType(known) {
		if merged := mergedInto(text, f, m, group, read); merged != nil {
			text = merged
		} else {
			fresh = append(fresh, group...)
		}
	}
	if len(fresh) == 0 {
		return text, diags
	}
	if f.Syntax == source.JSON {
		text, more := Add(text, f.LineEnd, fresh)
		return text, append(diags, more...)
	}
	diags = append(diags, plan.Inexpressible(m, func() plan.PrintedItems { return plan.PrintedOf(fresh) })...)
	return appended(text, f.LineEnd, native.Made(fresh)), diags
}

// byType groups parts by the types of their blocks, in the order in which those appear.
func byType(parts []*merge.Part) [][]*merge.Part {
	var groups [][]*merge.Part
	at := map[string]int{}
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

// mergedInto merges parts into the text of a file as an override is merged into a primary file. It
// returns nil if that is refused.
func mergedInto(text []byte, f *source.File, m *load.Module, parts []*merge.Part, read loader) []byte {
	made, diags := Made(m, f.Name, parts)
	if diags.HasErrors() {
		return nil
	}
	ending := f.Name[strings.LastIndex(f.Name, overrideStem)+len(overrideStem):]
	primary := "main" + ending
	src, diags, err := read(map[string][]byte{primary: text, overrideStem + ending: made})
	if err != nil || diags.HasErrors() {
		return nil
	}
	merged, diags := merge.Files(src, merge.Options{})
	if diags.HasErrors() {
		return nil
	}
	files, diags := Diff(merged)
	i := slices.IndexFunc(files, func(d *patch.File) bool { return d.Name == primary })
	if diags.HasErrors() || i < 0 || len(files) > 1 {
		return nil
	}
	return files[i].New()
}

// overrideStem is how the names of override files end before what names their syntax.
const overrideStem = "override"

// split separates the parts of a file's blocks from those of other blocks.
func split(f *source.File, parts []*merge.Part) (known, fresh []*merge.Part) {
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

// appended puts blocks behind a text, a blank line apart.
func appended(text []byte, eol string, made []byte) []byte {
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

// Made returns the text of a file that is made of parts of a module, in the syntax of its name.
// Diagnostics are about parts that the syntax can't express: with errors among them the text must
// not be used.
func Made(m *load.Module, name string, parts []*merge.Part) ([]byte, hcl.Diagnostics) {
	lost := CommentsLeftOut(parts, name)
	m.Places(lost)
	if !strings.HasSuffix(name, ".json") {
		return native.Made(parts), append(plan.Inexpressible(m, func() plan.PrintedItems { return plan.PrintedOf(parts) }), lost...)
	}
	document, diags := jsonout.Made(parts)
	m.Places(diags)
	diags = append(diags, lost...)
	var out bytes.Buffer
	_ = document.Write(&out) // a buffer takes all
	return out.Bytes(), diags
}
