package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// What speaks against flattening a module.

// obstacles returns the reasons not to flatten a module that show without loading the new files; refusals finds the
// others. diags are the diagnostics of the module, and diffs the new files.
func (f *flattener) obstacles(mod *merge.Module, diags hcl.Diagnostics, diffs []*patch.File) []string {
	var reasons []string
	// Shadowed primary files: in place, they would stay; with -o, they are left out.
	for _, e := range mod.Source.Names {
		if e.Status != load.Shadowed || e.Role != source.Primary {
			continue
		}
		hidden := fmt.Sprintf("%s is shadowed by %s", diag.Escape(mod.Source.Prefix+e.Name), diag.Escape(e.By))
		switch {
		case f.newDir == "":
			reasons = append(reasons, hidden+"; remove one of them, or use -o NEWDIR with --engine")
		case !f.isEngineNamed:
			reasons = append(reasons, hidden+" and would be left out; remove one of them, or name your engine with --engine")
		}
	}
	// Items that can't be written exactly.
	for _, d := range diags {
		if isObstacle(d) {
			reasons = append(reasons, fmt.Sprintf(
				"%s:%d can't be written exactly (see the warning)",
				diag.Escape(mod.Source.Prefix+d.Subject.Filename), d.Subject.Start.Line,
			))
		}
	}
	// Overrides that the other product reads differently.
	if !f.isEngineNamed {
		reasons = append(reasons, f.readDifferently(mod)...)
	}
	// A module that consists of override files only gets a new primary file, main.tf or main.tofu.
	isHiddenMain := func(e load.DirEntry) bool {
		return e.Role == source.Primary && e.Status == load.Shadowed && strings.HasPrefix(e.Name, "main.")
	}
	for _, d := range diffs {
		if f.newDir == "" && d.IsNew && slices.ContainsFunc(mod.Source.Names, isHiddenMain) {
			reasons = append(reasons, fmt.Sprintf("the new file %s would shadow another one, or be shadowed", diag.Escape(mod.Source.Prefix+d.Name)))
		}
	}
	return reasons
}

// refusals returns why the engine would refuse the flattened files, which it loads to see that: some arguments are
// accepted in two blocks, with a warning, but not in one. A module without diagnostics has no such arguments, so its
// files aren't loaded.
func refusals(m *workspace.Module, diffs []*patch.File) (reasons []string) {
	if len(m.Diags) == 0 {
		return nil
	}
	made, diags := rewrite.Reload(m.Module, diffs)
	for _, d := range diag.Refusals(diags) {
		at, what := cmp.Or(d.Subject, &hcl.Range{}), "a part"
		if it := load.ItemAt(made.Source, *at); it != nil {
			what = diag.Escape(it.Called())
		}
		reasons = append(reasons, fmt.Sprintf("%s would refuse %s at line %d of the new %s: %s",
			made.Source.Engine.Product.Title(), what, at.Start.Line, diag.Escape(m.Source.Prefix+at.Filename), d.Summary))
	}
	return reasons
}

// unsaved returns as reasons the files that flatten changes or removes and that git couldn't restore, because they
// differ from HEAD. Outside of a repository it returns none: nothing can be committed there.
func (f *flattener) unsaved(m *workspace.Module, files []*patch.File) []string {
	// Repository falls back to GIT_DIR, or to the repository around the working directory. Then the directory may be
	// outside of root.
	root, _, hasRepository := f.ws.Repository(m.Source.Dir)
	if !hasRepository || !repo.IsWithin(repo.Absolute(m.Source.Dir), repo.Absolute(root)) {
		return nil
	}
	past, err := f.ws.Past(m.Subject.Dir, workspace.Rev{Name: "HEAD"})
	isKnown := err == nil && past.From != nil && past.Now == "" // HEAD has the directory, under its present path
	// changed are the files that differ from HEAD or can't be compared with it; missing are those that HEAD lacks.
	var changed, missing []string
	for _, d := range files {
		name := diag.Escape(m.Source.Prefix + d.Name)
		switch {
		case d.IsNew:
			continue
		case !isKnown:
			changed = append(changed, name)
			continue
		}
		switch text, err := past.From.Read(d.Name, f.ws.MaxFileSize); {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, name)
		case err != nil, !bytes.Equal(text, d.Old):
			changed = append(changed, name)
		}
	}
	return slices.Concat(
		unrestorable(changed, "which differs from the last commit; commit it", "which differ from the last commit; commit them"),
		unrestorable(missing, "which isn't in the last commit; commit or copy it", "which aren't in the last commit; commit or copy them"),
	)
}

// unrestorable returns one reason for all files of these names, which git couldn't restore; none without names. one
// and several say what to do about one file and about more.
func unrestorable(names []string, one, several string) (reasons []string) {
	advice := several
	switch len(names) {
	case 0:
		return nil
	case 1:
		advice = one
	}
	return []string{fmt.Sprintf("git could not restore %s, %s, or use --force", wording.Some(names, ", "), advice)}
}

// Whether the other product reads a module as the product that flatten follows does.

// An overrideItem is an item of an override file in one engine's reading of a module.
type overrideItem struct {
	own      address.Address // of the item
	ranges   []hcl.Range     // of the item first, and then of the blocks around it, from the inside out
	inEffect bool            // the reading makes it effective
}

// readDifferently returns as reasons what the other product, Terraform for OpenTofu and the reverse, reads
// differently in override files. flatten can write only one of the two meanings. If the other product refuses the
// module, it isn't in use there, and readDifferently returns nothing.
func (f *flattener) readDifferently(mod *merge.Module) []string {
	e := mod.Source.Engine.Product.Other().Newest()
	if isSurelyAlike(mod.Source, e) {
		return nil
	}
	other, err := f.ws.ReadAgain(mod.Source, e, nil)
	if err != nil || len(other.Refusals()) > 0 {
		return nil
	}
	return whatIsUnlike(mod, other.Module)
}

// isSurelyAlike reports whether another engine, if it accepts the module at all, certainly reads the overrides as the
// module's own engine does. Then the costly second reading isn't necessary. It returns false if the directory has
// files that only the other engine reads, such as .tofu files.
func isSurelyAlike(m *load.Module, other engine.Release) bool {
	isForeign := func(e load.DirEntry) bool { return e.Status == load.Foreign }
	if slices.ContainsFunc(m.Names, isForeign) {
		return false
	}
	overridden := map[uint64]bool{} // keys of blocks that override files address
	for _, f := range m.Files {
		if f.Role != source.Override {
			continue
		}
		for i := range f.Len() {
			overridden[f.Key(i)] = true
		}
	}
	wants := func(f *source.File, i int) bool { return overridden[f.Key(i)] }
	return compare.IsReadAlike(m, other, wants, true) // true: the other engine may refuse these blocks
}

// whatIsUnlike returns the differences between two readings of a module, as reasons not to flatten. mod is the
// reading by the product that flatten follows, other the one by the other product.
func whatIsUnlike(mod, other *merge.Module) (reasons []string) {
	own := mod.Source.Engine.Product
	// Files that only one of the two reads.
	for _, file := range mod.Source.Files {
		if file.Role == source.Override && other.Source.File(file.Name) == nil {
			reasons = append(reasons,
				fmt.Sprintf("only %s reads the override file %s, so the module would change for %s",
					own.Title(), diag.Escape(mod.Source.Prefix+file.Name), own.Other().Title()))
		}
	}
	for _, e := range mod.Source.Names {
		if e.Status == load.Foreign {
			reasons = append(reasons, fmt.Sprintf("only %s reads %s, so the module would change for it",
				own.Other().Title(), diag.Escape(mod.Source.Prefix+e.Name)))
		}
	}
	// Items with an effect in one reading only.
	reasons = append(reasons, unlikeItems(overrideItems(mod), overrideItems(other), own.Other().Title(), mod.Source.Prefix)...)
	if len(reasons) > 0 {
		reasons = append(reasons, fmt.Sprintf("if you use only %s, name it with --engine", own.Title()))
	}
	return reasons
}

// unlikeItems returns as reasons the items of override files that are effective in one reading and ignored in the
// other, in both directions. title names the product of the second reading, and prefix precedes the names of files.
func unlikeItems(first, second []overrideItem, title, prefix string) (reasons []string) {
	firstEffect, secondEffect := effectByRange(first), effectByRange(second)
	// note adds the items of a reading that are effective there, by effect, and ignored in the other reading.
	note := func(items []overrideItem, effect, otherEffect map[hcl.Range]bool) {
		for _, it := range items {
			at := it.ranges[0]
			if effect[at] && isIgnoredBy(otherEffect, it) { // the other reading may list only a block around it
				reasons = append(reasons, fmt.Sprintf(
					"%s reads %s at %s:%d differently",
					title, diag.Escape(it.own.String()), diag.Escape(prefix+at.Filename), at.Start.Line,
				))
			}
		}
	}
	note(first, firstEffect, secondEffect)
	note(second, secondEffect, firstEffect)
	return reasons
}

// effectByRange returns whether each item is effective, by its own range.
func effectByRange(items []overrideItem) map[hcl.Range]bool {
	isEffective := make(map[hcl.Range]bool, len(items))
	for _, it := range items {
		isEffective[it.ranges[0]] = it.inEffect
	}
	return isEffective
}

// isIgnoredBy reports whether a reading ignores an item. isEffective is what effectByRange returns for the reading.
// If isEffective lacks the item, because the reading replaces a block around it as a whole, for example, the
// innermost block around it that isEffective has decides. Without one, the reading doesn't ignore the item.
func isIgnoredBy(isEffective map[hcl.Range]bool, it overrideItem) bool {
	for _, at := range it.ranges { // the item itself, then the blocks around it, outwards
		if effective, known := isEffective[at]; known {
			return !effective
		}
	}
	return false
}

// overrideItems lists the items of override files in a reading of a module. It leaves out blocks that are merged,
// because their contents are listed one by one.
func overrideItems(m *merge.Module) (list []overrideItem) {
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		for _, o := range e.Outcomes() {
			if !source.IsOverride(o.Item) || o.Status == effect.StatusMerged {
				continue
			}
			it := overrideItem{own: own, ranges: []hcl.Range{source.Where(o.Item)}, inEffect: o.Status == effect.StatusEffective}
			// The other reading may only list a block around the item (see isIgnoredBy).
			for b := o.Item.Within(); b != nil; b = b.Within() {
				it.ranges = append(it.ranges, source.Where(b))
			}
			list = append(list, it)
		}
	})
	return list
}
