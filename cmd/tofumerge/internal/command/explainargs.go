package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
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

// A location is a place as messages print it: FILE:LINE or FILE:LINE:COLUMN.
type location struct {
	text, dir, name string // the whole word, the directory of FILE, and FILE with that directory
	line, column    int    // from 1; column is 0 if the word has none
}

var locationForm = lazyregexp.New(`^(.+?):([0-9]{1,9})(?::([0-9]{1,9}))?:?$`)

// parseLocation parses FILE:LINE or FILE:LINE:COLUMN, with or without a colon behind it. ok is false for any other
// word.
func parseLocation(text string) (p location, ok bool) {
	m := locationForm().FindStringSubmatch(text)
	if m == nil {
		return p, false
	}
	line, _ := strconv.Atoi(m[2])
	column, _ := strconv.Atoi(m[3])
	return location{text: text, dir: filepath.Dir(m[1]), name: m[1], line: line, column: column}, true
}

// misplacedDirError returns the error for a directory that stands after addresses. It shows the command line args
// with the directory first, behind leading flags.
func misplacedDirError(dir string, args []string) error {
	var words []string
	for _, arg := range args {
		if arg != dir {
			words = append(words, diag.Escape(arg))
		}
	}
	// at is the place behind the leading flags.
	at := 0
	for at < len(words) && strings.HasPrefix(words[at], "-") {
		at++
	}
	words = slices.Insert(words, at, diag.Escape(dir))
	return errors.New("put the directory before the addresses: tofumerge explain " + strings.Join(words, " "))
}

// splitArgs returns the directory of the module, at most one, and the words to explain. The first argument is the
// directory if one has that name. Otherwise a file in another directory, or a location in one, selects that
// directory, and stays among the words. Without any of these, dir is nil.
func (o *explainOptions) splitArgs(args []string) (dir, asked []string, err error) {
	if len(args) == 0 {
		return nil, nil, nil
	}
	// The first argument is a directory. A bare word that is also a name in the module is ambiguous.
	if o.isDir(args[0]) {
		if !isPath(args[0]) && o.isNameHere(args[0]) {
			return nil, nil, fmt.Errorf("%[1]s is a directory and a name in this module; write .%[2]c%[1]s for the directory, or . %[1]s for the name", diag.Escape(args[0]), filepath.Separator)
		}
		return args[:1], args[1:], nil
	}
	for _, text := range args {
		// A file of --overlay belongs to the module, wherever it is.
		if p, ok := parseLocation(text); ok && p.dir != "." && !slices.Contains(o.ws.Overlays, p.name) {
			return []string{p.dir}, args, nil
		}
		// A directory behind the first word is misplaced.
		if isPath(text) && o.isDir(text) {
			return nil, nil, misplacedDirError(text, args)
		}
		// A file selects its directory.
		if isPath(text) && o.isFile(text) {
			return []string{filepath.Dir(text)}, args, nil
		}
	}
	return nil, args, nil
}

// isPath reports whether a word can only be a path: it is a dot or two, or contains a slash, as no address does.
func isPath(text string) bool {
	return text == "." || text == ".." || strings.ContainsAny(text, `/\`)
}

// isDir reports whether a path is a directory: in git, if modules are read from there and it has the path, and
// otherwise on the disk.
func (o *explainOptions) isDir(name string) bool {
	if isDir, ok := o.ws.IsTracked(name); ok {
		return isDir
	}
	info, err := os.Stat(repo.In(o.ws.Base(), name))
	return name != "" && err == nil && info.IsDir()
}

// isFile reports whether a path is a regular file. It looks in git or on the disk, as isDir does.
func (o *explainOptions) isFile(name string) bool {
	if isDir, ok := o.ws.IsTracked(name); ok {
		return !isDir
	}
	info, err := os.Stat(repo.In(o.ws.Base(), name))
	return err == nil && info.Mode().IsRegular()
}

// isNameHere reports whether a word that is a directory also names something in the module of the working directory:
// then it is ambiguous.
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

// findAll finds the targets of all words, which are addresses, patterns, names, locations and files, in a module; dir
// is its directory. Without words it returns all declarations. A word that names nothing is an error.
func (o *explainOptions) findAll(mod *merge.Module, dir string) ([]address.Target, error) {
	if len(o.asked) == 0 {
		return lookup.Top(mod), nil
	}
	var all []address.Target
	for _, text := range o.asked {
		// The word is a file of the module: its name, or a path that leads to it, such as web/main.tf. If the word is
		// also an address, the file wins, with a note.
		if mod.Source.File(text) != nil || isPath(text) && discover.IsConfigName(filepath.Base(text)) {
			file := location{text: text, dir: filepath.Dir(text), name: text} // the whole file, so without a line
			f, err := o.fileOf(mod.Source, dir, file)
			if err != nil {
				return nil, err
			}
			if _, err := o.findTargets(mod, text); err == nil {
				o.ws.Note(fmt.Sprintf("Note: %[1]s is a file of the module; the resource of that name is resource.%[1]s", diag.Escape(text)))
			}
			found := lookup.Overridden(mod, f)
			if len(found) == 0 {
				return nil, fmt.Errorf("no override affects anything in %s", diag.Escape(f.Name))
			}
			all = append(all, found...)
			continue
		}
		// Any other word is a location, FILE:LINE, or an address, a pattern or a name.
		var found []address.Target
		var err error
		if at, isLocation := parseLocation(text); isLocation {
			found, err = o.findAt(mod, dir, at)
		} else {
			found, err = o.findTargets(mod, text)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// findAt finds the argument or block at a location in a module; dir is the directory of the module.
func (o *explainOptions) findAt(mod *merge.Module, dir string, at location) ([]address.Target, error) {
	f, err := o.fileOf(mod.Source, dir, at)
	if err != nil {
		return nil, err
	}
	// offset is negative if the file ends before the line; lines is the number of its lines.
	offset, lines := textedit.Offset(f.Raw, at.line, at.column)
	if offset < 0 {
		return nil, fmt.Errorf("no line %d in %s, which has %s", at.line, diag.Escape(at.name), wording.Count(lines, "line"))
	}
	if it := f.ItemAt(offset); it != nil {
		if found := lookup.OfItem(mod, it); len(found) > 0 {
			return found, nil
		}
	}
	return nil, fmt.Errorf("no argument or block is at %s; name a line of one", diag.Escape(at.text))
}

// findTargets finds the targets of a single word: an address, a pattern, or a bare name such as instance_type, which
// may be anywhere. Finding none is an error.
func (o *explainOptions) findTargets(mod *merge.Module, text string) ([]address.Target, error) {
	if address.IsPattern(text) {
		p, err := address.ParsePattern(text)
		if err != nil {
			return nil, err
		}
		if found := address.Matching(mod, p); len(found) > 0 {
			return found, nil
		}
		return nil, notFoundError(text, "the module", similar(mod, text), o.listFlags())
	}
	// An address from the top of the module or, if nothing is there, the end of one anywhere.
	a, err := address.Parse(text)
	if err != nil {
		return nil, err
	}
	found := lookup.Find(mod, a)
	if len(found) == 0 {
		found = address.Named(mod, a)
	}
	for _, t := range found {
		if whole := t.Unclear(); whole != nil { // only an evaluation shows the part
			return nil, unclearPartError(mod, t.Address, whole)
		}
	}
	if len(found) == 0 {
		return nil, o.unknownError(mod, a, text)
	}
	return found, nil
}

// unclearPartError returns the error for an address of a key or element that only an evaluation can find, because the
// value of the argument whole is an expression.
func unclearPartError(mod *merge.Module, given address.Address, whole *source.Attr) error {
	return fmt.Errorf("%s is not known before the plan: the value of %s at %s is an expression; leave the key out to explain the whole value", given, diag.Escape(whole.Called()), wording.Redactor{Module: mod.Source, FromHere: true}.Place(whole))
}

// unknownError returns the error for an address that names nothing in a module. It tries to explain the mistake: the
// name of a rule, a.0 for a[0], a missing key, or the key of an instance. typed is the address as the user wrote it.
func (o *explainOptions) unknownError(mod *merge.Module, given address.Address, typed string) error {
	if check.FindRule(typed) != nil {
		return fmt.Errorf("%s is a rule of check; to explain it, run: tofumerge help %[1]s", typed)
	}
	if near := withIndexes(mod, given.String()); near != nil {
		return notFoundError(given.String(), "the module", near, "")
	}
	// An argument around the address has a value, which lacks the rest of it.
	for around := given.Parent(); !around.IsEmpty(); around = around.Parent() {
		for _, t := range lookup.Find(mod, around) {
			for _, it := range t.Effective() {
				if a, ok := it.(*source.Attr); ok {
					if err := missingPartError(mod, given, around, a); err != nil {
						return err
					}
				}
			}
		}
	}
	if rest, ok := withoutInstance(mod, typed); ok {
		return fmt.Errorf("%s is an instance, known only to a plan; leave its key out: %s", diag.Escape(typed), diag.Escape(rest))
	}
	return notFoundError(given.String(), "the module", similar(mod, given.String()), o.listFlags())
}

// listFlags returns the arguments with which "explain --all" lists all addresses that this run looks at: " -r", and
// the directory.
func (o *explainOptions) listFlags() string {
	if o.search.Recursive {
		return " -r" + o.dirSuffix
	}
	return o.dirSuffix
}

// withoutInstance removes the key of an instance from an address: aws_instance.web[0].ami becomes
// aws_instance.web.ami. ok is false if the first brackets don't follow the address of a block.
func withoutInstance(mod *merge.Module, text string) (rest string, ok bool) {
	parts, err := spelling.ReadPath(text) // such as aws_instance, .web, [0] and .ami
	if err != nil {
		return "", false
	}
	for _, p := range parts[1:] {
		if text[p.Start] != '[' {
			continue
		}
		// These are the first brackets: they hold the key of an instance only if a block's address precedes them.
		around, _ := address.Parse(text[:p.Start])
		found := lookup.Find(mod, around)
		isBlock := len(found) == 1 && found[0].IsWhole() && found[0].Item.Inner() != nil
		if !isBlock {
			return "", false
		}
		return text[:p.Start] + text[p.End:], true
	}
	return "", false
}

// missingPartError returns the error for given, the address of a key or element inside the argument a, for which the
// caller has looked in vain: the value of a lacks it or, if the value is an expression, only an evaluation could find
// it. around is the address of a. The error is nil if the value has no keys or elements at all.
func missingPartError(mod *merge.Module, given, around address.Address, a *source.Attr) error {
	v := parts.Of(a)
	if !v.IsAll { // an expression, or it contains one: there may be parts that v doesn't know
		return unclearPartError(mod, given, a)
	}
	key, _ := given.In(around) // the end of given
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

// fileOf returns the file of a location. It must be a file that the engine reads in dir, the directory of the module;
// the error says why it isn't.
func (o *explainOptions) fileOf(src *load.Module, dir string, p location) (*source.File, error) {
	if f := src.File(p.name); f != nil { // also a file of --overlay, which may be in any directory
		return f, nil
	}
	// The location must lead to the directory of the module. For the module modules/web it may be main.tf alone, the
	// path from the working directory, modules/web/main.tf, or one from the module, such as ../web/main.tf.
	there := repo.In(o.ws.Base(), p.dir)
	// Names are compared first, because a directory of the index may be missing on disk.
	isFromHere := filepath.Clean(there) == filepath.Clean(dir) || repo.IsSameFile(there, dir)
	isFromModule := p.dir == "." || repo.IsSameFile(repo.In(dir, p.dir), dir)
	switch {
	case isFromHere || isFromModule:
	case !o.isFile(p.name):
		return nil, load.MissingError{Kind: "file", Name: p.name}
	default:
		return nil, fmt.Errorf("%s is not in the directory of the module, and explain looks in one module only; explain that file in a run of its own", diag.Escape(p.name))
	}
	name := filepath.Base(p.name)
	if f := src.File(name); f != nil {
		return f, nil
	}
	// The engine reads no such file: say why.
	for _, e := range src.Names {
		switch {
		case e.Name != name:
		case e.Status == load.Shadowed:
			return nil, fmt.Errorf("the engine doesn't read %s: %s shadows it", diag.Escape(name), diag.Escape(e.By))
		default:
			return nil, fmt.Errorf("%s is not read as a file of the module; to see why, run: tofumerge list%s", diag.Escape(name), o.dirSuffix)
		}
	}
	return nil, fmt.Errorf("the module has no file %s; to list its files, run: tofumerge list%s", diag.Escape(name), o.dirSuffix)
}

var errNoAddress = errors.New("explain needs an address, such as aws_instance.web.ami or var.region, or a location such as main.tf:12; " +
	"to explain the whole module, use --all")
