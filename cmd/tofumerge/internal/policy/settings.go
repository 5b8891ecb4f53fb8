package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
)

// FileName is the name of settings files.
const FileName = ".tofumerge.hcl"

// Settings holds the values of a settings file, or of flags.
type Settings struct {
	Engine *string
	// AgainstEngines lists other engines that must read modules alike.
	AgainstEngines []string
	Enable         []string
	Disable        []string
	Deny           []string
	AllowFiles     []string
	DenyOverrides  bool
	// ToolComments lists words by which flatten recognizes comments that tools act on.
	ToolComments []string
	MinSeverity  *string
	FailOn       *string

	// isForeign means that the change under review can't have edited them.
	isForeign   bool
	displayName string               // the file, as messages name it; empty for flags
	places      map[string]hcl.Range // by argument: where its value is
	flags       *Settings            // the flags that With added; may be nil
	globs       []address.Pattern    // the patterns of Deny
	min         check.Severity       // MinSeverity, parsed
	fail        check.Severity       // FailOn, parsed
	others      []engine.Release     // the engines of AgainstEngines
}

// parse parses a settings file, and prepares its settings. The error is about the first mistake, and quotes
// nothing from a withheld file.
func parse(f File) (*Settings, *Error) {
	s := &Settings{displayName: f.displayName(), isForeign: f.IsForeign}
	body, diags := limits.Parse(f.Text, s.displayName)
	if !diags.HasErrors() {
		diags = append(diags, limits.CheckConstants(body)...)
	}
	if !diags.HasErrors() {
		diags = append(diags, s.decode(body)...)
	}
	wrong := &Error{file: f}
	if diags.HasErrors() {
		first := diags[0]
		wrong.why = first.Summary + ": " + first.Detail
		if f.IsWithheld {
			wrong.why = first.Summary + ": " + load.NotQuoted
		}
		if first.Subject != nil {
			wrong.at = *first.Subject
		}
		return nil, wrong
	}
	argument, err := s.prepareAll()
	if err == nil {
		return s, nil
	}
	wrong.why, wrong.at = err.Error(), s.places[argument]
	if f.IsWithheld {
		wrong.why = "invalid setting. " + load.NotQuoted
	}
	return nil, wrong
}

// decode reads the arguments of a settings file into s, and records where they are.
func (s *Settings) decode(body hcl.Body) hcl.Diagnostics {
	s.places = map[string]hcl.Range{}
	byName := slices.SortedFunc(slices.Values(arguments), func(a, b argument) int { return strings.Compare(a.name, b.name) })
	schema := &hcl.BodySchema{}
	for _, a := range byName {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: a.name})
	}
	content, diags := body.Content(schema)
	// The parser visits a map of arguments, so errors come in random order.
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int { return a.Subject.Start.Byte - b.Subject.Start.Byte })
	for _, a := range byName {
		if given := content.Attributes[a.name]; given != nil {
			diags = append(diags, a.decode(given.Expr, s)...)
			s.places[a.name] = given.Expr.Range()
		}
	}
	return diags
}

// Prepare refuses values that make no sense, and computes the fields that depend on others, such as min. Call
// it again after changes.
func (s *Settings) Prepare() error {
	_, err := s.prepareAll()
	return err
}

// prepareAll does what Prepare does. It also returns the argument with the mistake, so that the error can
// point to it.
func (s *Settings) prepareAll() (argument string, err error) {
	for _, step := range []struct {
		argument string
		prepare  func() error
	}{
		{"enable", func() error { return CheckRules(s.Enable) }},
		{"disable", func() error { return CheckRules(s.Disable) }},
		{"deny", s.prepareDenials},
		{"allow_files", s.checkAllowed},
		{"tool_comments", s.checkToolComments},
		{"min_severity", s.prepareMinSeverity},
		{"fail_on", s.prepareFailOn},
		{"engine", s.checkEngine},
		{"against_engines", s.prepareEngines},
	} {
		if err := step.prepare(); err != nil {
			return step.argument, err
		}
	}
	return "", nil
}

// CheckRules returns an error for the first id that belongs to no rule.
func CheckRules(ids []string) error {
	for _, id := range ids {
		if check.FindRule(id) != nil {
			continue
		}
		if like := check.LikeRule(id); like != "" {
			return fmt.Errorf("unknown rule %q; did you mean %q?", id, like)
		}
		return fmt.Errorf("unknown rule %q; to list all rules, run: tofumerge check --list-rules", id)
	}
	return nil
}

// maxGlobs is the maximum number of patterns of denied items with a * or a ? beside other text. Each name is
// compared with each of them.
const maxGlobs = 1000

// prepareDenials parses the patterns of Deny into globs. It refuses more than maxGlobs patterns such as aws_*, since
// each of these must be compared with every name.
func (s *Settings) prepareDenials() error {
	s.globs = nil
	slow := 0 // how many have a * or a ? beside other text
	for _, text := range s.Deny {
		g, err := address.ParsePattern(text)
		if err == nil {
			err = deny.CheckPattern(g)
		}
		if err != nil {
			return err
		}
		s.globs = append(s.globs, g)
		if g.HasGlobs() {
			slow++
		}
	}
	if slow > maxGlobs {
		return fmt.Errorf("%d patterns have a * or a ? beside other text, as in aws_*; at most %d may", slow, maxGlobs)
	}
	return nil
}

// checkAllowed refuses invalid patterns in AllowFiles.
func (s *Settings) checkAllowed() error { return CheckFileGlobs(s.AllowFiles, "") }

// CheckFileGlobs refuses invalid patterns of file names. of is put behind the pattern in the error, such as "
// for --without".
func CheckFileGlobs(globs []string, of string) error {
	for _, glob := range globs {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			return fmt.Errorf("invalid pattern of file names %q%s; use one such as 'dev_*' or override.tf", glob, of)
		}
	}
	return nil
}

// checkToolComments refuses words so short that they would match ordinary comments.
func (s *Settings) checkToolComments() error {
	for _, word := range s.ToolComments {
		if len(strings.TrimSpace(word)) < 3 {
			return fmt.Errorf("invalid word %q; use one of three letters or more, such as my-linter:ignore", word)
		}
	}
	return nil
}

// Doubts returns warnings about patterns of denied items that start almost like the type of a block.
func (s *Settings) Doubts() (list []string) {
	for _, g := range s.globs {
		if word := deny.SimilarKeyword(g); word != "" {
			list = append(list, fmt.Sprintf("%q in deny starts with no type of a block; did you mean %s?", g.String(), word))
		}
	}
	return list
}

// prepareMinSeverity parses MinSeverity into min.
func (s *Settings) prepareMinSeverity() error {
	if s.MinSeverity == nil {
		return nil
	}
	var isValid bool
	s.min, isValid = check.ParseSeverity(*s.MinSeverity)
	if !isValid {
		return fmt.Errorf("invalid severity %q; use error, warning or notice", *s.MinSeverity)
	}
	return nil
}

// prepareFailOn parses FailOn into fail. "never" becomes a severity above that of all findings.
func (s *Settings) prepareFailOn() error {
	if s.FailOn == nil {
		return nil
	}
	fail, ok := check.ParseSeverity(*s.FailOn)
	switch {
	case *s.FailOn == "never":
		fail = never
	case !ok:
		return fmt.Errorf("invalid severity %q to fail on; use error, warning, notice or never", *s.FailOn)
	}
	s.fail = fail
	return nil
}

// checkEngine refuses the name of an unknown engine.
func (s *Settings) checkEngine() error {
	if s.Engine == nil {
		return nil
	}
	_, err := engine.Parse(*s.Engine)
	return err
}

// prepareEngines parses AgainstEngines into others. If any are named, it enables the rule engines-differ, unless the
// settings enable or disable that themselves.
func (s *Settings) prepareEngines() error {
	s.others = nil
	for _, name := range s.AgainstEngines {
		e, err := engine.Parse(name)
		if err != nil {
			return err
		}
		s.others = append(s.others, e)
	}
	id := check.EnginesDiffer.ID
	if len(s.others) > 0 && !slices.Contains(slices.Concat(s.Enable, s.Disable), id) {
		s.Enable = append(slices.Clone(s.Enable), id) // naming engines implies the rule about them
	}
	return nil
}

// With returns these settings, which are those of --config, with flags added. Flags outrank single values, and add
// to lists. Two lists differ: flags replace the engines to compare with, and a rule that flags enable is no longer
// disabled. The error is from Prepare.
func (s Settings) With(flags *Settings) (*Settings, error) {
	s.Disable = slices.DeleteFunc(slices.Clone(s.Disable), func(id string) bool {
		return slices.Contains(flags.Enable, id)
	})
	s.Enable = append(slices.Clone(s.Enable), flags.Enable...)
	s.Disable = append(s.Disable, flags.Disable...)
	if len(flags.AgainstEngines) > 0 {
		s.AgainstEngines = flags.AgainstEngines
	}
	s.Deny = append(slices.Clone(s.Deny), flags.Deny...)
	s.AllowFiles = append(slices.Clone(s.AllowFiles), flags.AllowFiles...)
	s.DenyOverrides = s.DenyOverrides || flags.DenyOverrides
	if flags.MinSeverity != nil {
		s.MinSeverity = flags.MinSeverity
	}
	if flags.FailOn != nil {
		s.FailOn = flags.FailOn
	}
	s.flags = flags
	return &s, s.Prepare()
}

// Name returns how messages name the settings file, or "" for flags.
func (s *Settings) Name() string { return s.displayName }

// enabled returns the rules that the settings enable and don't disable at the same time.
func (s *Settings) enabled() []string {
	return slices.DeleteFunc(slices.Clone(s.Enable), func(id string) bool { return slices.Contains(s.Disable, id) })
}

// allows reports whether the settings exempt the override file name from denials.
func (s *Settings) allows(name string) bool {
	return slices.ContainsFunc(s.AllowFiles, func(glob string) bool { return spelling.Matches(glob, name) })
}

// Files holds the settings of a run: the user's, and the settings files that it finds. It reads each file
// once. Several goroutines may use it once its fields are set.
type Files struct {
	// User holds the settings from flags and the file of --config; nil if no policy is requested.
	User *Settings
	// Override, if set, holds the settings of --config, which are read instead of all files.
	Override *Settings
	// Source finds and reads the files; nil means the disk.
	Source Source
	// Warn, if set, gets a warning about each file with a forbidden setting.
	Warn func(text string)

	readers  sync.Map // by directory: func() (*Settings, error), which reads its file once
	patterns patternCache
}

// ReadConfig reads the file of --config into Override. path is its path on the disk; if the file is open in an editor, its
// text there counts.
func (f *Files) ReadConfig(path string) error {
	// A Disk as Source knows the open files. For any other Source, disk is the zero Disk, which reads the saved file.
	disk, _ := f.Source.(Disk)
	file, err := disk.read(path)
	f.Override, err = parseRead(file, err)
	return err
}

// parseRead parses a file that was just read. err is from reading; it turns that into an *Error.
func parseRead(file File, err error) (*Settings, error) {
	if err != nil {
		return nil, &Error{file: file, unread: input.StripPath(err)}
	}
	s, broken := parse(file)
	if broken != nil {
		return nil, broken
	}
	return s, nil
}

// In returns the settings in the file of a directory itself, or nil without a file. It reads each file once.
func (f *Files) In(dir string) (*Settings, error) {
	once, _ := f.readers.LoadOrStore(dir, sync.OnceValues(func() (*Settings, error) { return f.read(dir) }))
	return once.(func() (*Settings, error))()
}

// read reads the settings file of a directory, and warns of doubtful settings. Without a file it returns nil. Unless
// the file is foreign, the change under review may have edited it: then fail_on = "never" is an error, and read warns
// of rules that the file can't disable.
func (f *Files) read(dir string) (*Settings, error) {
	file, err := f.source().Read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	s, err := parseRead(file, err)
	switch {
	case err != nil:
		return nil, err
	case s.NeverFails() && !s.isForeign:
		return nil, &Error{file: file, at: s.places["fail_on"], why: fmt.Sprintf("fail_on can't be never in %s, because the change under "+
			"review may have edited it; use --fail-on, --config or --config-from", diag.Escape(FileName))}
	case f.Warn == nil: // nobody wants the warnings below
		return s, nil
	}
	for _, text := range s.Doubts() {
		f.Warn(s.displayName + ": " + text)
	}
	if list := s.unsafelyDisabled(); len(list) > 0 && !s.isForeign {
		f.Warn(fmt.Sprintf(
			"%s can't disable %s because the change under review may have edited it; use --disable, --config or --config-from",
			s.displayName, strings.Join(list, ", ")))
	}
	return s, nil
}

// source returns Source, or the disk.
func (f *Files) source() Source {
	if f.Source == nil {
		return Disk{}
	}
	return f.Source
}

// settingsAbove returns the settings of the files that apply to a module, the outermost first, and the errors
// in invalid ones. With --config, no file applies.
func (f *Files) settingsAbove(dir string) (list []*Settings, broken []error) {
	if f.Override != nil {
		return nil, nil
	}
	dirs, err := f.source().Above(dir)
	if err != nil {
		return nil, []error{err}
	}
	for _, at := range slices.Backward(dirs) { // dirs starts with the innermost
		switch s, err := f.In(at); {
		case err != nil:
			broken = append(broken, err)
		case s != nil:
			list = append(list, s)
		}
	}
	return list, broken
}

// ToolComments returns the words of comments that tools act on, from all files that apply to a module
// directory.
func (f *Files) ToolComments(dir string) (words []string) {
	files, _ := f.settingsAbove(dir) // the method For reports the errors
	for _, s := range files {
		words = append(words, s.ToolComments...)
	}
	return words
}

// For returns the policy of a module directory, or the errors in the settings files that apply to it.
func (f *Files) For(dir string) (*Policy, []error) {
	files, broken := f.settingsAbove(dir)
	if len(broken) > 0 {
		return nil, broken
	}
	return combine(f.User, files, &f.patterns), nil
}

// A Tree reads settings files from a tree of a repository: a revision, or the index.
type Tree struct {
	Files TreeFiles
	// Root is the working tree: the directory that a checkout of the tree fills.
	Root string
	// Called, if set, returns how messages name a file, given its path from the root. Otherwise they show
	// its path in the working tree.
	Called func(name string) string
	// Missing, if set, says why there is no tree for a directory. Then no module in it can be judged.
	Missing error
	// IsForeign means that the change under review can't have edited the tree.
	IsForeign bool
}

// TreeFiles are the files of a tree, by their paths from its root, with slashes.
type TreeFiles interface {
	// Has reports whether there is a file or a directory, or a link, even a broken one.
	Has(name string) bool
	Read(name string, limit int64) ([]byte, error)
	// EscapesRepo reports whether a path passes through a link out of the repository.
	EscapesRepo(name string) bool
	// Real resolves the links in a path, as far as the tree has it.
	Real(name string) string
}

// Above implements Source. It lists the module's directory and those above it in the tree. If links lead to the
// module, it lists both the directories above the link and those above the target, as links on the disk and links
// in the tree have it: otherwise a change could hide a module from its settings by a link. The tree may lack some
// of these directories.
func (t Tree) Above(dir string) ([]string, error) {
	if t.Missing != nil {
		return nil, t.Missing
	}
	if _, ok := t.pathIn(repo.Absolute(dir)); !ok {
		return nil, fmt.Errorf("%s is not in the working tree of %s, which holds the settings", diag.Escape(dir), diag.Escape(t.Root))
	}
	var list []string
	// addUpwards adds a directory of the tree and all above it, up to the root (".").
	addUpwards := func(name string) {
		for at := path.Clean(name); ; at = path.Dir(at) {
			if whole := filepath.Join(t.Root, filepath.FromSlash(at)); !slices.Contains(list, whole) {
				list = append(list, whole)
			}
			if at == "." {
				return
			}
		}
	}
	for _, at := range repo.SettingsDirs(dir) { // these follow links on the disk
		if name, ok := t.pathIn(at); ok {
			addUpwards(name)
			addUpwards(t.Files.Real(name)) // follows links in the tree
		}
	}
	return list, nil
}

// Trees returns the tree that holds the settings files of a directory. Modules may be in several
// repositories.
type Trees func(dir string) (Tree, error)

// Above implements Source with the tree of the directory.
func (f Trees) Above(dir string) ([]string, error) {
	t, err := f(dir)
	if err != nil {
		return nil, err
	}
	return t.Above(dir)
}

// Read implements Source with the tree of the directory.
func (f Trees) Read(dir string) (File, error) {
	t, err := f(dir)
	if err != nil {
		return File{}, err
	}
	return t.Read(dir)
}

// pathIn returns the path of a directory of the disk relative to the tree's root, with slashes. It tries Root
// as it is written and with its links resolved. ok is false if the directory is outside.
func (t Tree) pathIn(dir string) (name string, ok bool) {
	for _, root := range []string{t.Root, repo.Real(t.Root)} {
		rel, err := filepath.Rel(root, dir)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// Read implements Source. dir is a path relative to the tree's root, or an absolute one on the disk. If the
// tree is missing, so is the file; Above reports why.
func (t Tree) Read(dir string) (File, error) {
	if t.Missing != nil {
		return File{}, fs.ErrNotExist
	}
	if filepath.IsAbs(dir) {
		name, ok := t.pathIn(dir)
		if !ok {
			return File{}, fs.ErrNotExist
		}
		dir = name
	}
	name := path.Join(dir, FileName)
	f := File{IsForeign: t.IsForeign}
	if t.Called != nil {
		f.Name = t.Called(name)
	} else {
		f.Path = filepath.Join(t.Root, filepath.FromSlash(name))
	}
	if !t.Files.Has(name) {
		return f, fs.ErrNotExist
	}
	text, err := t.Files.Read(name, input.MaxSettingsSize)
	f.Text, f.IsWithheld = text, t.Files.EscapesRepo(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = errDangling // the file is a link, since Has found it
	}
	return f, err
}

// An Error explains why a settings file can't be read or is invalid.
type Error struct {
	file   File
	unread error     // why it can't be read; nil for an invalid file
	at     hcl.Range // of the mistake; line 0 stands for the whole file
	why    string
}

// Error returns the error with the location of the mistake, or of the file.
func (e *Error) Error() string {
	at := e.file.displayName()
	switch {
	case e.unread != nil:
		return fmt.Sprintf("can't read %s: %v", at, e.unread)
	case e.at.Start.Line > 0:
		at = fmt.Sprintf("%s:%d:%d", at, e.at.Start.Line, e.at.Start.Column)
	}
	return at + ": " + e.why
}

// FindingFor returns the finding that the module in dir has no valid settings. A file without a Path, which
// only a revision has, is named in the message, because the finding can't point to it.
func (e *Error) FindingFor(dir string) check.Finding {
	if e.file.Path == "" {
		return check.Unreadable("", e)
	}
	f := check.Unreadable(repo.From(dir, e.file.Path), e)
	f.Message = e.why
	if e.unread != nil {
		f.Message = fmt.Sprintf("Can't read the file: %s.", e.unread)
	}
	f.Range.Start, f.Range.End = e.at.Start, e.at.End
	return f
}

// displayName returns how messages name the file.
func (f File) displayName() string {
	if f.Path == "" {
		return diag.Escape(f.Name)
	}
	return diag.Escape(repo.FromHere(f.Path))
}
