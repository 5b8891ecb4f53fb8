package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// The arguments of explain: a directory, and addresses, names, patterns and locations in any order
// behind it.

// A filePlace is a location as messages print it: FILE:LINE or FILE:LINE:COLUMN.
type filePlace struct {
	text, dir, name string
	line, column    int
}

var placeForm = lazyregexp.New(`^(.+?):([0-9]{1,9})(?::([0-9]{1,9}))?:?$`)

// placeIn parses a location. A missing column is 0.
func placeIn(text string) (p filePlace, ok bool) {
	m := placeForm().FindStringSubmatch(text)
	if m == nil {
		return p, false
	}
	line, _ := strconv.Atoi(m[2])
	column, _ := strconv.Atoi(m[3])
	return filePlace{text: text, dir: filepath.Dir(m[1]), name: m[1], line: line, column: column}, true
}

// misplacedDir returns the error for a directory after addresses, with the corrected command line.
func misplacedDir(dir string, args []string) error {
	var words []string
	for _, arg := range args {
		if arg != dir {
			words = append(words, diag.Escape(arg))
		}
	}
	at := 0
	for at < len(words) && strings.HasPrefix(words[at], "-") {
		at++
	}
	words = slices.Insert(words, at, diag.Escape(dir))
	return errors.New("put the directory before the addresses: tofumerge explain " + strings.Join(words, " "))
}

// split separates the directory of the module from the addresses. A file or location in another directory
// selects that directory, and stays among the addresses.
func (o *explainOptions) split(args []string) (dir, asked []string, err error) {
	if len(args) == 0 {
		return nil, nil, nil
	}
	if o.isDir(args[0]) {
		if !isPath(args[0]) && o.isNameHere(args[0]) {
			return nil, nil, fmt.Errorf("%[1]s is a directory and a name in this module; write .%[2]c%[1]s for the directory, or . %[1]s for the name", diag.Escape(args[0]), filepath.Separator)
		}
		return args[:1], args[1:], nil
	}
	for _, text := range args {
		if p, ok := placeIn(text); ok && p.dir != "." && !slices.Contains(o.ws.Overlays, p.name) {
			return []string{p.dir}, args, nil
		}
		if isPath(text) && o.isDir(text) {
			return nil, nil, misplacedDir(text, args)
		}
		if isPath(text) && o.isFile(text) {
			return []string{filepath.Dir(text)}, args, nil
		}
	}
	return nil, args, nil
}

// isPath reports whether a word can only be a path: no address contains a slash, or is a dot.
func isPath(text string) bool {
	return text == "." || text == ".." || strings.ContainsAny(text, `/\`)
}

// isDir reports whether a path is a directory: in the index, if modules are read from there and it has the
// path, else on the disk.
func (o *explainOptions) isDir(name string) bool {
	if isDir, ok := o.ws.IsTracked(name); ok {
		return isDir
	}
	info, err := os.Stat(repo.In(o.ws.Base(), name))
	return name != "" && err == nil && info.IsDir()
}

// isFile reports whether a path is a file; see isDir.
func (o *explainOptions) isFile(name string) bool {
	if isDir, ok := o.ws.IsTracked(name); ok {
		return !isDir
	}
	info, err := os.Stat(repo.In(o.ws.Base(), name))
	return err == nil && info.Mode().IsRegular()
}

// isNameHere reports whether a word also names something in the module of the working directory.
func (o *explainOptions) isNameHere(name string) bool {
	engine, err := o.ws.Engine(o.ws.Dir(nil))
	if err != nil {
		return false
	}
	here, err := o.ws.Reading(o.ws.Dir(nil), engine.Release)
	if err != nil {
		return false
	}
	found, err := o.findTargets(here.Module, name)
	return err == nil && len(found) > 0
}

// targets finds the targets of all words: addresses, locations and files; without words, the declarations of
// the module. It is an error if any word names nothing.
func (o *explainOptions) targets(mod *merge.Module, dir string) ([]address.Target, error) {
	if len(o.asked) == 0 {
		return lookup.Top(mod), nil
	}
	var all []address.Target
	for _, text := range o.asked {
		find := o.findTargets
		if p, ok := placeIn(text); ok {
			find = func(mod *merge.Module, _ string) ([]address.Target, error) {
				f, err := o.fileOf(mod.Source, dir, p)
				if err != nil {
					return nil, err
				}
				offset, lines := textedit.Offset(f.Raw, p.line, p.column)
				if offset < 0 {
					return nil, fmt.Errorf("no line %d in %s, which has %s", p.line, diag.Escape(p.name), wording.Count(lines, "line"))
				}
				if it := f.ItemAt(offset); it != nil {
					if found := lookup.OfItem(mod, it); len(found) > 0 {
						return found, nil
					}
				}
				return nil, fmt.Errorf("no argument or block is at %s; name a line of one", diag.Escape(p.text))
			}
		}
		if f := mod.Source.File(filepath.Base(text)); f != nil && (f.Name == text || isPath(text)) {
			if _, err := o.findTargets(mod, text); err == nil {
				o.ws.Note(fmt.Sprintf("Note: %[1]s is a file of the module; the resource of that name is resource.%[1]s", diag.Escape(text)))
			}
			found := lookup.Overridden(mod, f)
			if all = append(all, found...); len(found) == 0 {
				return nil, fmt.Errorf("no override affects anything in %s", diag.Escape(f.Name))
			}
			continue
		}
		found, err := find(mod, text)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// findTargets finds the targets of an address, a pattern or a bare name. It is an error if there are none.
func (o *explainOptions) findTargets(mod *merge.Module, text string) ([]address.Target, error) {
	if address.IsPattern(text) {
		p, err := address.ParsePattern(text)
		if err != nil {
			return nil, err
		}
		if found := address.Matching(mod, p); len(found) > 0 {
			return found, nil
		}
		return nil, notFound(text, "the module", similar(mod, text), o.listing())
	}
	a, err := address.Parse(text)
	if err != nil {
		return nil, err
	}
	found := lookup.Find(mod, a)
	if len(found) == 0 {
		found = address.Named(mod, a)
	}
	for _, t := range found {
		if whole := t.Unclear(); whole != nil {
			return nil, unclearKey(mod, t.Address, whole)
		}
	}
	if len(found) == 0 {
		return nil, o.unknown(mod, a, text)
	}
	return found, nil
}

// unclearKey returns the error for a part of a value that only the engine can find.
func unclearKey(mod *merge.Module, given address.Address, whole *source.Attr) error {
	return fmt.Errorf("%s is not known before the plan: the value of %s at %s is an expression; leave the key out to explain the whole value", given, diag.Escape(whole.Called()), wording.Redactor{Module: mod.Source, FromHere: true}.Place(whole))
}

// unknown returns the error for an address that names nothing in a module. as is the address as the user
// wrote it.
func (o *explainOptions) unknown(mod *merge.Module, given address.Address, as string) error {
	if check.FindRule(as) != nil {
		return fmt.Errorf("%s is a rule of check; to explain it, run: tofumerge help %[1]s", as)
	}
	if near := withIndexes(mod, given.String()); near != nil {
		return notFound(given.String(), "the module", near, "")
	}
	for around := given.Parent(); !around.IsEmpty(); around = around.Parent() {
		for _, t := range lookup.Find(mod, around) {
			for _, it := range t.Effective() {
				if a, ok := it.(*source.Attr); ok {
					if err := noPart(mod, given, around, a); err != nil {
						return err
					}
				}
			}
		}
	}
	if rest, ok := withoutInstance(mod, as); ok {
		return fmt.Errorf("%s is an instance, known only to a plan; leave its key out: %s", diag.Escape(as), diag.Escape(rest))
	}
	return notFound(given.String(), "the module", similar(mod, given.String()), o.listing())
}

// listing returns the arguments that, with --all, make explain list all addresses of the run.
func (o *explainOptions) listing() string {
	switch {
	case o.search.Recursive:
		return " -r" + o.behind
	}
	return o.behind
}

// withoutInstance removes the key of an instance, as in aws_instance.web[0], from an address. ok is false if
// brackets don't follow a single top-level block.
func withoutInstance(mod *merge.Module, text string) (rest string, ok bool) {
	list, err := spelling.ReadPath(text)
	for i, p := range list {
		if err != nil || i == 0 || text[p.Start] != '[' {
			continue
		}
		around, _ := address.Parse(text[:p.Start])
		found := lookup.Find(mod, around)
		if len(found) == 1 && found[0].IsWhole() && found[0].Item.Inner() != nil {
			return text[:p.Start] + text[p.End:], true
		}
		break
	}
	return "", false
}

// noPart returns the error for a part that an argument's value lacks, or that only the engine could find; nil
// if the value has no parts at all. around is the address of the argument.
func noPart(mod *merge.Module, given, around address.Address, a *source.Attr) error {
	v := parts.Of(a)
	if !v.IsAll {
		return unclearKey(mod, given, a)
	}
	key, _ := given.In(around)
	var names []string
	for _, p := range v.Parts {
		names = append(names, address.Address{}.Step(p.Segment).String())
	}
	switch {
	case len(names) == 0:
		return nil
	case v.IsList:
		return fmt.Errorf("%s has no element %s; it has %s", around, key, wording.Count(len(names), "element"))
	}
	return fmt.Errorf("%s has no key %s; it has %s", around, key, wording.Some(names, ", "))
}

// fileOf returns the file of a location, which must be in the directory of the module.
func (o *explainOptions) fileOf(src *load.Module, dir string, p filePlace) (*source.File, error) {
	if f := src.File(p.name); f != nil {
		return f, nil
	}
	there := repo.In(o.ws.Base(), p.dir)
	isHere := p.dir == "." || filepath.Clean(there) == filepath.Clean(dir) // a directory of the index may be missing on disk
	if !isHere && !repo.IsSameFile(there, dir) && !repo.IsSameFile(filepath.Join(dir, p.dir), dir) {
		return nil, fmt.Errorf("%s is not in the directory of the module, and a location is looked up in one module only; leave out DIR", diag.Escape(p.name))
	}
	name := filepath.Base(p.name)
	if f := src.File(name); f != nil {
		return f, nil
	}
	for _, e := range src.Names {
		switch {
		case e.Name != name:
		case e.Status == load.Shadowed:
			return nil, fmt.Errorf("the engine doesn't read %s: %s shadows it", diag.Escape(name), diag.Escape(e.By))
		default:
			return nil, fmt.Errorf("%s is not read as a file of the module; to see why, run: tofumerge list%s", diag.Escape(name), o.behind)
		}
	}
	return nil, fmt.Errorf("the module has no file %s; to list its files, run: tofumerge list%s", diag.Escape(name), o.behind)
}

var errNoAddress = errors.New("explain needs an address, such as aws_instance.web.ami or var.region, or a location such as main.tf:12; " +
	"to explain the whole module, use --all")
