package load

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// A Directory is a module directory that isn't on the disk, such as a directory in a revision of a
// repository. Several goroutines may read it.
type Directory interface {
	// Names lists the names of its files in byte order, and which of them are links. A link is
	// listed by its own name, whatever its target.
	Names() (names []string, links map[string]bool, err error)
	// Read returns the contents of a file of at most limit bytes. The error is fs.ErrNotExist if
	// there is no such file.
	Read(name string, limit int64) ([]byte, error)
	// EscapesRepo reports whether a file is a link to something that messages may not quote.
	EscapesRepo(name string) bool
}

// readNames lists the names in the module directory, and which of them are links. If namesAhead has listed the
// directory already, readNames takes that listing out of Options.Ahead instead of reading the directory again.
func (o Options) readNames(dir string) (names []string, links map[string]bool, err error) {
	if o.From != nil {
		return o.From.Names()
	}
	if o.Ahead != nil {
		if kept, ok := o.Ahead.LoadAndDelete(aheadDir(dir)); ok {
			l := kept.(listing)
			return l.names, l.links, nil
		}
	}
	return readNames(dir)
}

// An aheadDir is the key of a directory's listing in Options.Ahead.
type aheadDir string

// A listing is what readNames returns.
type listing struct {
	names []string
	links map[string]bool
}

// namesAhead lists the names in the directory before the module is loaded, for example to choose the engine. It keeps
// the listing in Options.Ahead, where loading finds it.
func (o Options) namesAhead(dir string) []string {
	names, links, err := o.readNames(dir)
	if err == nil && o.keepsAhead() {
		o.Ahead.Store(aheadDir(dir), listing{slices.Clone(names), links})
	}
	return o.names(names)
}

// keepsAhead reports whether files and names that are read before loading are kept for it. Only what comes from the
// disk is.
func (o Options) keepsAhead() bool { return o.Ahead != nil && o.Read == nil && o.From == nil }

// OverridesExceed reports whether a directory's override files have more than limit bytes in total. Files that can't
// be read count as empty. The caller uses it to decide whether two readings of a module fit in memory at once.
func (o Options) OverridesExceed(dir string, limit int) bool {
	m := &Module{Names: Classify(o.namesAhead(dir), o.Engine)}
	m.markExcluded(o.Excluded)
	left := limit
	for _, e := range m.Names {
		if e.Role == source.Override && e.Status == Read && left >= 0 { // below 0, read no more files
			text, _ := o.readIn(dir, e.Name)
			left -= len(text)
		}
	}
	return left < 0
}

// readFile returns the contents of a file of the module, from Options.From if that is set, and otherwise from the
// disk. Overlays are always on the disk.
func (l *loader) readFile(f *source.File) ([]byte, error) {
	if l.opts.From != nil && !f.Overlay {
		return l.opts.From.Read(f.Name, l.opts.MaxFileSize)
	}
	return l.opts.read(f.Path)
}

// read returns the contents of a file on the disk. If it was read before loading, the text is taken out of
// Options.Ahead.
func (o Options) read(path string) ([]byte, error) {
	if o.Read != nil {
		return o.Read(path, o.MaxFileSize)
	}
	if o.Ahead != nil {
		if text, ok := o.Ahead.LoadAndDelete(path); ok {
			return text.([]byte), nil
		}
	}
	return input.Read(path, o.MaxFileSize)
}

// unreadable returns the diagnostic that a file can't be read because of err.
func unreadable(f *source.File, err error) *hcl.Diagnostic {
	why := input.StripPath(err).Error()
	if info, statErr := os.Lstat(f.Path); statErr == nil && info.Mode()&fs.ModeSymlink != 0 &&
		errors.Is(err, fs.ErrNotExist) {
		why = "the target of the symbolic link does not exist" // "no such file" would be wrong: the link itself exists
	}
	return diag.WithCode(diag.Unreadable, diag.New(hcl.Range{Filename: f.Name}, "Failed to read file",
		"Can't read the file: %s.", why))
}

// readFrom records that the files of the module come from a directory that isn't on the disk, unless from is nil.
// Their paths name nothing on the disk, so it clears them.
func (m *Module) readFrom(from Directory) {
	if from == nil {
		return
	}
	m.From = from
	for _, f := range m.Files {
		if !f.Overlay {
			f.Path = ""
			f.Outside = from.EscapesRepo(f.Name)
		}
	}
}

// IsSameAs reports whether another directory, such as the same one in an earlier revision, holds the files that m was
// loaded from: the same names, the same bytes and the same lock file. Then it needn't be loaded. limit is the largest
// size of a file in bytes. It returns false if m wasn't loaded from the disk.
func (m *Module) IsSameAs(other Directory, limit int64) bool {
	names, _, err := other.Names()
	if err != nil || m.From != nil {
		return false
	}
	isSameName := func(a, b DirEntry) bool { return a.Name == b.Name }
	if !slices.EqualFunc(Classify(names, m.Engine), m.Names, isSameName) {
		return false
	}
	for _, e := range m.Names {
		if e.Status == Ignored || e.Status == Unread {
			continue // only the name matters
		}
		if !m.hasSame(e.Name, other, limit) {
			return false
		}
	}
	return m.hasSame(LockName, other, limit)
}

// hasSame reports whether other has the same file under a name as m's directory, or neither has one.
func (m *Module) hasSame(name string, other Directory, limit int64) bool {
	theirs, theirErr := other.Read(name, limit)
	ours, err := m.TextOf(name, limit)
	if err != nil || theirErr != nil {
		return errors.Is(err, fs.ErrNotExist) && errors.Is(theirErr, fs.ErrNotExist)
	}
	return bytes.Equal(ours, theirs)
}

// TextOf returns the contents of a file in the module's directory, whether or not the file is part of the module.
// limit is its largest size in bytes.
func (m *Module) TextOf(name string, limit int64) ([]byte, error) {
	switch f := m.File(name); {
	case f != nil:
		return f.Raw, nil
	case m.From != nil:
		return m.From.Read(name, limit)
	}
	return input.Read(filepath.Join(m.Dir, name), limit)
}

// origin returns a description of where From is, such as a revision. It is "" for a directory on the disk, and if
// From has no method Of.
func (o Options) origin() string {
	if from, ok := o.From.(interface{ Of() string }); ok {
		return from.Of()
	}
	return ""
}

// A dirStatus says what an engine does with a name of the directory.
type dirStatus int

// The statuses of a name.
const (
	Read     dirStatus = iota // loaded in its role
	Shadowed                  // hidden by the same name with an extension that takes precedence
	Ignored                   // resembles a configuration file, such as an editor's backup
	Excluded                  // an override file to leave out
	Unread                    // resembles an override file, but is not even a configuration file
	Foreign                   // a configuration file to other releases
)

var dirWords = [...]string{Read: "read", Shadowed: "shadowed", Ignored: "ignored", Excluded: "excluded", Unread: "not_read", Foreign: "not_read"}

// String returns the word of the status in reports.
func (s dirStatus) String() string { return dirWords[s] }

// A DirEntry is one name of a module directory that is, or resembles, a
// configuration file.
type DirEntry struct {
	Name   string
	Role   source.Role
	Syntax source.Syntax
	Tofu   bool
	Status dirStatus
	By     string // for a shadowed name, the name that hides it
	// Meant is the name that would make the file an override file, if its name resembles one.
	Meant string
}

// extensions are the endings of configuration files. If two belong to one syntax the first hides
// the second, to engines that know both.
var extensions = []struct {
	suffix string
	syntax source.Syntax
	tofu   bool
}{
	{".tofu.json", source.JSON, true},
	{".tf.json", source.JSON, false},
	{".tofu", source.Native, true},
	{".tf", source.Native, false},
}

// Classify returns how an engine treats each name in a directory, in the order given. Names that don't resemble
// configuration files are left out.
func Classify(names []string, e engine.Release) []DirEntry {
	entries := make([]DirEntry, 0, len(names))
	hiding := map[string]bool{} // .tofu files, which hide .tf files: main.tofu hides main.tf
	for _, name := range names {
		if entry, ok := classifyName(name); ok {
			entries = append(entries, entry)
			if entry.Tofu && entry.Status == Read {
				hiding[name] = true
			}
		} else if isBackup(name) {
			entries = append(entries, DirEntry{Name: name, Status: Ignored})
		} else if meant := nearMiss(name); meant != "" { // main.tf.override, which engines don't read
			entries = append(entries, DirEntry{Name: name, Status: Unread, Meant: meant})
		}
	}
	readsTofu := e.ReadsTofuFiles()
	// With all names known, mark the files that the engine doesn't read after all.
	for i := range entries {
		if readsTofu {
			hideShadowed(&entries[i], hiding)
		} else if entries[i].Tofu && entries[i].Status == Read {
			entries[i].Status, entries[i].Meant = Foreign, "" // no name to propose: renamed, it wouldn't be read either
		}
	}
	numberMeant(entries, names) // so that no two files are told to take the same name
	return entries
}

// numberMeant makes the names unique under which override files should be saved (DirEntry.Meant). If a file already
// has such a name, or two entries would get the same one, it inserts a number: main_override.tf becomes
// main_2_override.tf. names are all names in the directory.
func numberMeant(entries []DirEntry, names []string) {
	if !slices.ContainsFunc(entries, func(e DirEntry) bool { return e.Meant != "" }) {
		return
	}
	// taken are the names of files and those given to entries; tries counts numbers, by the name without one.
	taken, tries := map[string]bool{}, map[string]int{}
	for _, name := range names {
		taken[name] = true
	}
	// An entry whose name is free gets it; the others get a number afterwards.
	var clashing []*DirEntry
	for i := range entries {
		switch e := &entries[i]; {
		case e.Meant == "":
		case taken[e.Meant]:
			clashing = append(clashing, e)
		default:
			taken[e.Meant] = true
		}
	}
	for _, e := range clashing {
		meant := e.Meant
		stem, suffix := splitExtension(meant)
		// main_override.tf becomes main_2_override.tf, override.tf becomes 2_override.tf.
		for taken[e.Meant] {
			tries[meant]++
			number := 1 + tries[meant] // the first is 2
			e.Meant = fmt.Sprintf("%s%d_override%s", strings.TrimSuffix(stem, "override"), number, suffix)
		}
		taken[e.Meant] = true
	}
}

// classifyName derives the role, syntax and status of a configuration file from its name alone. The second result is
// false if the name isn't one of a configuration file. Whether another file shadows this one is decided later.
func classifyName(name string) (DirEntry, bool) {
	for _, ext := range extensions {
		stem, ok := strings.CutSuffix(name, ext.suffix)
		if !ok {
			continue
		}
		entry := DirEntry{Name: name, Syntax: ext.syntax, Tofu: ext.tofu}
		if isOverrideStem(stem) {
			entry.Role = source.Override
		}
		if IsIgnoredName(name) {
			entry.Status = Ignored
		} else if entry.Role == source.Primary {
			entry.Meant = nearMiss(name) // for main-override.tf, main_override.tf
		}
		return entry, true
	}
	return DirEntry{}, false
}

// hideShadowed marks a .tf file as shadowed if hiding has its .tofu counterpart: OpenTofu loads main.tofu instead of
// main.tf. hiding holds the names of all .tofu files.
func hideShadowed(entry *DirEntry, hiding map[string]bool) {
	if len(hiding) == 0 || entry.Tofu || entry.Status == Ignored {
		return
	}
	stem, suffix := splitExtension(entry.Name)
	if by := stem + strings.Replace(suffix, ".tf", ".tofu", 1); hiding[by] {
		entry.Status, entry.By = Shadowed, by
	}
}

// IsIgnoredName reports whether engines ignore a file because of its name: hidden files (.main.tf), and the backup
// and lock files of editors (main.tf~, #main.tf#).
func IsIgnoredName(name string) bool {
	return strings.HasPrefix(name, ".") ||
		strings.HasSuffix(name, "~") ||
		strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#")
}

// A MissingError names something that doesn't exist, and its kind. Without a kind, it names a file where a
// directory has to be.
type MissingError struct{ Kind, Name string }

// Error says what doesn't exist, or that a file isn't a directory.
func (e MissingError) Error() string {
	if e.Kind == "" {
		return diag.Escape(e.Name) + " is not a directory; name the directory of the module"
	}
	return "no such " + e.Kind + ": " + diag.Escape(e.Name)
}

// readNames lists the files in a directory on the disk, in byte order, and reports which names are links. Directories
// are left out, but a link is listed whatever its target: the target is examined when the link is opened.
func readNames(dir string) (names []string, links map[string]bool, err error) {
	info, err := os.Stat(dir)
	switch {
	case dir == "":
		return nil, nil, errors.New("the name of the directory is empty; for the current directory, leave it out")
	case os.IsNotExist(err):
		return nil, nil, MissingError{"directory", dir}
	case err != nil:
		return nil, nil, fmt.Errorf("can't read the directory %s: %w", diag.Escape(dir), input.StripPath(err))
	case !info.IsDir():
		return nil, nil, MissingError{Name: dir} // exists, but as a file
	}
	found, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("can't read the directory %s: %w", diag.Escape(dir), input.StripPath(err))
	}
	names, links = make([]string, 0, len(found)), map[string]bool{}
	for _, f := range found {
		if !f.IsDir() {
			names = append(names, f.Name())
		}
		if f.Type()&fs.ModeSymlink != 0 {
			links[f.Name()] = true
		}
	}
	return names, links, nil
}

// A NoFilesError reports that a directory holds no configuration.
type NoFilesError struct {
	Dir    string
	Engine engine.Release
	Names  []DirEntry // that resemble configuration files
	Of     string     // the directory's origin, if it is not on the disk
}

// Error lists the file name extensions that the engine reads. Then it names files that the user probably expected to
// be read: those of other engines, and override files with misspelt names.
func (e *NoFilesError) Error() string {
	endings := ".tf or .tf.json"
	if e.Engine.ReadsTofuFiles() {
		endings = ".tf, .tofu, .tf.json or .tofu.json"
	}
	text := fmt.Sprintf("no configuration files (%s) in %s", endings, diag.Escape(e.Dir))
	if e.Of != "" {
		text += " of " + diag.Escape(e.Of)
	}
	hasReason := false
	// Of the files for other engines, the first is enough of a hint.
	for _, n := range e.Names {
		if n.Status == Foreign {
			text += fmt.Sprintf("; %s does not read %s, %s does: choose it with --engine", e.Engine.Title(),
				diag.Escape(n.Name), engine.Describe(engine.Release.ReadsTofuFiles))
			hasReason = true
			break
		}
	}
	for _, n := range e.Names {
		if n.Meant != "" {
			text += fmt.Sprintf("; %s is ignored: to make it an override file, rename it to %s", diag.Escape(n.Name),
				diag.Escape(n.Meant))
			hasReason = true
		}
	}
	if !hasReason { // it is probably the wrong directory
		text += "; name the directory of a module"
	}
	return text
}

// Links are followed as engines follow them. A link may point to a file unrelated to the module,
// such as one with the user's passwords, and messages about it must not quote it.

// NotQuoted replaces the text of a message that would quote a file.
const NotQuoted = "The file is outside the repository, so nothing in it is quoted."

// read fills f.Raw, unless the contents were given, and marks the file as broken. The mark is removed when the file
// has been parsed without a syntax error.
func (l *loader) read(f *source.File) hcl.Diagnostics {
	f.Broken = true
	if f.Raw == nil {
		src, err := l.readFile(f)
		if err != nil {
			return hcl.Diagnostics{unreadable(f, err)}
		}
		f.Raw = src
	}
	l.countBytes(f)
	f.LineEnd = textedit.LineEndOf(f.Raw)
	return nil
}

// countBytes adds a file's size to the totals, and passes them to Options.Sized, by which the program tunes the
// garbage collector.
func (l *loader) countBytes(f *source.File) {
	if l.opts.Sized == nil {
		return
	}
	if f.Syntax == source.JSON {
		l.jsonRead.Add(int64(len(f.Raw)))
	} else {
		l.nativeRead.Add(int64(len(f.Raw)))
	}
	l.opts.Sized(l.nativeRead.Load(), l.jsonRead.Load())
}

// readJSON reads a JSON file and finds its top-level blocks. Their items follow in translate: whether a property is
// an argument or a nested block may depend on files that haven't been read yet.
func (l *loader) readJSON(f *source.File) hcl.Diagnostics {
	if diags := l.read(f); diags.HasErrors() {
		return diags
	}
	evidence, ambiguous := jsonsyntax.Evidence{}, jsonsyntax.Ambiguous{}
	if diags := jsonsyntax.Read(f, evidence, ambiguous); diags.HasErrors() {
		return diags
	}
	l.addEvidence(f, evidence, ambiguous)
	return nil
}

// nearMiss returns the override file name that the user probably meant, or "" if the name resembles none. For
// main-override.tf, which engines load as a primary file, it returns main_override.tf. name isn't that of an override
// file.
func nearMiss(name string) string {
	lower := lowerASCII(name)
	// main.tf.override
	if inner, ok := strings.CutSuffix(lower, ".override"); ok {
		if stem, suffix := splitExtension(inner); suffix != "" {
			return name[:len(stem)] + "_override" + suffix
		}
		return ""
	}
	stem, suffix := splitExtension(lower)
	// main_override.json lacks .tf in its extension.
	if suffix == "" {
		stem, suffix = strings.TrimSuffix(lower, ".json"), ".tf.json"
		if stem == lower || !isOverrideStem(stem) {
			return ""
		}
		return name[:len(stem)] + suffix
	}
	given := name[:len(stem)]
	switch {
	case isOverrideStem(stem): // main_Override.tf or main_override.TF
		return given[:len(given)-len("override")] + "override" + suffix
	case stem == "overrides" || strings.HasSuffix(stem, "_overrides"): // main_overrides.tf
		return given[:len(given)-len("overrides")] + "override" + suffix
	case strings.HasSuffix(stem, "override"): // main-override.tf
		return strings.TrimRight(given[:len(given)-len("override")], "-. ") + "_override" + suffix
	case strings.HasPrefix(stem, "override.t") && isExtension(stem[len("override"):]): // override.tf.tf
		return "override" + suffix
	case strings.HasPrefix(stem, "override_") || strings.HasPrefix(stem, "override-") ||
		strings.HasPrefix(stem, "override."): // override_main.tf; the three prefixes have the same length
		return given[len("override_"):] + "_override" + suffix
	}
	// main_overide.tf
	if better := wellSpelt(given, stem); better != "" {
		return better + suffix
	}
	return ""
}

// separators are the characters that join the words of a file's name.
const separators = "_-. "

// wellSpelt returns the stem of the override file that was probably meant, if the first or last word of a stem is a
// misspelt "override": main_overide gives main_override. It returns "" if neither word is. given is the stem as
// written, lower the same in lower case. Digits at the end move in front of the word: overide2 gives 2_override.
func wellSpelt(given, lower string) string {
	// The misspelt word may be the last or the first one, so the stem is split in two ways: main_overide2 into front
	// main, last overide and digits 2, and into first main and rest overide2.
	lastAt := strings.LastIndexAny(lower, separators) + 1
	last := strings.TrimRight(lower[lastAt:], "0123456789")
	digits := lower[lastAt+len(last):]
	front := strings.TrimRight(given[:lastAt], separators)
	first, rest := lower, ""
	if i := strings.IndexAny(lower, separators); i >= 0 {
		first, rest = lower[:i], given[i+1:]
	}
	isRideOfOver := last == "ride" && (strings.EqualFold(front, "over") || endsWithSeparated(strings.ToLower(front), "over"))
	switch {
	case last == "override": // main_override2
		return joinWords(front, digits)
	case isRideOfOver: // main_over_ride
		return joinWords(strings.TrimRight(front[:len(front)-len("over")], separators), digits)
	case isMisspelt(last): // main_overide
		return joinWords(front, digits)
	case isMisspelt(first): // overide_main
		return joinWords(rest)
	}
	return ""
}

// joinWords joins words and a final "override" with underscores to the stem of an override file. It skips empty
// words.
func joinWords(words ...string) string {
	words = slices.DeleteFunc(append(words, "override"), func(w string) bool { return w == "" })
	return strings.Join(words, "_")
}

// endsWithSeparated reports whether a name consists of other characters, a separator and then the word: main-over has
// "over".
func endsWithSeparated(name, word string) bool {
	front, ok := strings.CutSuffix(name, word)
	return ok && front != "" && strings.ContainsRune(separators, rune(front[len(front)-1]))
}

// isMisspelt reports whether a word differs from "override" by one or two letters and isn't an English word
// itself.
func isMisspelt(word string) bool {
	return spelling.IsNear(word, "override", 2) && !slices.Contains(likeOverride, word)
}

// likeOverride are the English words that one or two letters turn into "override".
var likeOverride = []string{
	"overbid", "overbids", "overbite", "overbridge", "overdid", "overdrive", "overfine", "overgive", "overidle", "overlade",
	"overlie", "overline", "overlive", "overmine", "overnice", "overprice", "overprize", "overrake", "overrate", "overrich",
	"overridden", "overrider", "overriders", "overripe", "overripen", "overrule", "oversides", "oversize", "overstride",
	"overtime", "overtire", "overtrade", "overwise", "overwrite",
}

// lowerASCII returns a name with its ASCII letters in lower case. The length stays the same, unlike
// with strings.ToLower: some other letters need more bytes in lower case, and so does the
// replacement character for invalid bytes.
func lowerASCII(name string) string {
	text := []byte(name)
	for i, b := range text {
		if 'A' <= b && b <= 'Z' {
			text[i] = b + 'a' - 'A'
		}
	}
	return string(text)
}

// isOverrideStem reports whether engines load a file with this stem, its name without extension, as an override file.
func isOverrideStem(stem string) bool {
	return stem == "override" || strings.HasSuffix(stem, "_override")
}

// isExtension reports whether text consists of the extension of configuration files alone: ".tf", but not "a.tf".
func isExtension(text string) bool {
	stem, suffix := splitExtension(text)
	return stem == "" && suffix != ""
}

// splitExtension splits a name into its stem and the extension of a configuration file, such as .tf.json. suffix is
// empty if the name has no such extension.
func splitExtension(name string) (stem, suffix string) {
	for _, ext := range extensions {
		if stem, ok := strings.CutSuffix(name, ext.suffix); ok {
			return stem, ext.suffix
		}
	}
	return name, ""
}

// isBackup reports whether a name is that of an editor's backup or lock file for a configuration file, such as
// .main.tf.swp or main.tf~. Engines ignore those.
func isBackup(name string) bool {
	// bare is the name without what editors add: .NAME.swp, #NAME#, .#NAME and NAME~.
	bare := strings.TrimPrefix(strings.TrimPrefix(name, "."), "#")
	bare = strings.TrimSuffix(strings.TrimSuffix(bare, "~"), "#")
	bare = strings.TrimSuffix(bare, ".swp")
	_, suffix := splitExtension(bare)
	// The last condition excludes names that contain a slash.
	return bare != name && suffix != "" && filepath.Base(bare) == bare
}

// givenTwice improves the parser's diagnostics about arguments that are set twice in a block: it replaces each by one
// that shows both places, as for other duplicates. body is the parsed file; diags is changed in place.
func givenTwice(f *source.File, body *hclsyntax.Body, diags hcl.Diagnostics) hcl.Diagnostics {
	for i, d := range diags {
		if d.Summary != "Attribute redefined" || d.Subject == nil {
			continue
		}
		name := string(f.Text(*d.Subject))
		if first := attributeBeside(body, *d.Subject, name); first != nil {
			diags[i] = language.AttributeTwice(name, *d.Subject, first.NameRange)
		}
	}
	return diags
}

// attributeBeside returns the argument of that name in the innermost block around a range, or nil.
func attributeBeside(body *hclsyntax.Body, at hcl.Range, name string) *hclsyntax.Attribute {
	// Find the first block that ends after the start of the range: blocks that end there or before compare as less.
	i, _ := slices.BinarySearchFunc(body.Blocks, at.Start.Byte, func(b *hclsyntax.Block, start int) int {
		return cmp.Compare(b.Body.SrcRange.End.Byte, start+1)
	})
	if i < len(body.Blocks) && body.Blocks[i].Body.SrcRange.Start.Byte <= at.Start.Byte {
		return attributeBeside(body.Blocks[i].Body, at, name)
	}
	return body.Attributes[name]
}
