package discover

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"golang.org/x/text/unicode/norm"
)

// gitignore is the name of the files with git's ignore patterns.
const gitignore = ".gitignore"

// ruleAbove is the rule in the root, from the files in it and above it, up to the top of the
// repository.
func (w *walker) ruleAbove() rule {
	if w.SeesIgnored {
		return rule{}
	}
	top := repo.Root(w.base)
	in := rule{patterns: NewScope(w.patternsOf(excludeFile(top)))}
	if repo.IsRoot(top) {
		in.repositories = []string{top}
	}
	rel, err := filepath.Rel(top, w.base)
	if err != nil || rel == "." {
		rel = ""
	}
	at := ""
	in.patterns = in.patterns.Within(at, w.patternsOf(filepath.Join(top, gitignore)))
	for name := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		if name == "" {
			continue
		}
		at = path.Join(at, name)
		in.patterns = in.patterns.Within(at, w.patternsOf(filepath.Join(top, filepath.FromSlash(at), gitignore)))
	}
	if at != "" {
		w.above = at + "/"
	}
	return in
}

// ruleIn is the rule in a directory with these entries. A nested repository, such as a submodule,
// has no patterns from the one around it.
func (w *walker) ruleIn(rel string, entries []fs.DirEntry, in rule) rule {
	if in.patterns == nil {
		return in
	}
	has := func(name string) bool {
		_, found := slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int {
			return strings.Compare(e.Name(), name)
		})
		return found
	}
	dir := filepath.Join(w.base, filepath.FromSlash(rel))
	if has(".git") { // the patterns around it don't apply
		in.patterns, in.isIgnored = &Scope{dir: w.above + rel, patterns: w.patternsOf(excludeFile(dir)), work: in.patterns.work}, false
		in.repositories = append(slices.Clip(in.repositories), dir)
	}
	if has(gitignore) {
		in.patterns = in.patterns.Within(w.above+rel, w.patternsOf(filepath.Join(dir, gitignore)))
	}
	return in
}

// patternsOf reads the patterns of a file, which need not be there. As to git, a link is
// none.
func (w *walker) patternsOf(name string) []Pattern {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, err := input.Read(name, input.MaxSettingsSize)
	if err != nil {
		w.Warn(fmt.Sprintf("%s is ignored: %v", diag.Escape(repo.FromHere(name)), input.StripPath(err)))
		return nil
	}
	return Parse(text)
}

// excludeFile is the file with a repository's ignore patterns for this checkout alone.
func excludeFile(top string) string {
	_, shared := repo.GitDirs(top)
	return filepath.Join(shared, "info", "exclude")
}

// A Scope holds the patterns that apply in a directory: those of a file, and before them those of
// the scopes around it. A nil Scope ignores nothing.
type Scope struct {
	around   *Scope
	dir      string // that paths are seen from; "" for the top
	patterns []Pattern
	work     *int
}

// maxWork is how many steps of matching are done for a search. A change may bring as many
// patterns and as many directories as its author likes.
const maxWork = 100_000_000

// NewScope returns the outermost scope, with patterns for paths from the top.
func NewScope(patterns []Pattern) *Scope { return &Scope{patterns: patterns, work: new(int)} }

// Within returns a scope inside of this one: the patterns of a file in a directory whose
// path is from the top, with slashes.
func (s *Scope) Within(dir string, patterns []Pattern) *Scope {
	return &Scope{around: s, dir: dir, patterns: patterns, work: s.work}
}

// Ignores reports whether git ignores a directory whose path is from the top. The last matching
// pattern of the innermost file decides.
func (s *Scope) Ignores(dir string) bool {
	for ; s != nil; s = s.around {
		path := dir
		if s.dir != "" {
			path = strings.TrimPrefix(dir, s.dir+"/")
		}
		for i := len(s.patterns) - 1; i >= 0; i-- {
			if s.IsExhausted() {
				return false
			}
			matches, work := s.patterns[i].Matches(path)
			if *s.work += work; matches {
				return !s.patterns[i].isNegated
			}
		}
	}
	return false
}

// IsExhausted reports whether there were more patterns and directories than are matched.
// From then on nothing is ignored.
func (s *Scope) IsExhausted() bool { return s != nil && *s.work > maxWork }

// A Pattern matches paths as a line of a .gitignore file does.
type Pattern struct {
	tokens    []token
	isNegated bool // its matches are not ignored after all
	isName    bool // it matches the last part of a path, wherever that is
}

// A token matches a part of a path.
type token struct {
	kind kind
	set  *[256]bool // of a byte that is not itself
	char byte
}

type kind byte

const (
	literal kind = iota
	one          // a byte of a set
	star         // bytes of one name
	names        // whole names with the slashes behind them
	rest         // all that is left
)

// Parse returns the patterns of a .gitignore file, in its order. Lines that match nothing are
// skipped, as by git.
func Parse(text []byte) (list []Pattern) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if p, ok := parse(trimBlanks(string(line))); ok {
			list = append(list, p)
		}
	}
	return list
}

// trimBlanks takes away the blanks at the end, but for one with a backslash before it.
func trimBlanks(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

// One returns the pattern that a user gives to exclude something.
func One(text string) (Pattern, error) {
	switch {
	case strings.HasPrefix(text, "!"):
		return Pattern{}, errors.New("a ! at the start isn't supported here")
	case strings.ContainsRune(text, '\n'):
		return Pattern{}, errors.New("it must be one line")
	}
	p, ok := parse(strings.TrimPrefix(text, "./"))
	if !ok {
		return p, errors.New("it matches nothing")
	}
	return p, nil
}

// parse returns the pattern of a line, if it can match anything.
func parse(line string) (p Pattern, ok bool) {
	line, p.isNegated = strings.CutPrefix(line, "!")
	line = strings.TrimSuffix(line, "/") // only directories are matched
	p.isName = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	for at := 0; at < len(line); {
		t, length := next(line, at, p.isName)
		if length == 0 {
			return p, false
		}
		p.tokens = append(p.tokens, t)
		at += length
	}
	return p, len(p.tokens) > 0
}

// next returns the token of a line at an index, and how many bytes it takes; 0 if git
// doesn't understand it.
func next(line string, at int, isName bool) (token, int) {
	switch line[at] {
	case '*':
		length := len(line[at:]) - len(strings.TrimLeft(line[at:], "*"))
		isFirst := at == 0 || line[at-1] == '/' || !strings.ContainsAny(line[:at], `*?[\`) // git compares those bytes first
		behind := line[at+length:]
		switch {
		case length < 2 || isName || !isFirst:
			return token{kind: star}, length
		case behind == "":
			return token{kind: rest}, length
		case behind[0] == '/':
			return token{kind: names}, length + 1
		}
		return token{kind: star}, length
	case '?':
		return token{kind: one, set: &anyByte}, 1
	case '[':
		return class(line, at)
	case '\\':
		if at+1 == len(line) {
			return token{}, 0
		}
		return token{char: line[at+1]}, 2
	}
	return token{char: line[at]}, 1
}

var anyByte = func() (set [256]bool) {
	for c := range set {
		set[c] = c != '/'
	}
	return set
}()

// class reads a set of bytes in brackets.
func class(line string, at int) (token, int) {
	set, from := [256]bool{}, at
	at++
	isNegated := at < len(line) && (line[at] == '!' || line[at] == '^')
	if isNegated {
		at++
	}
	for first := true; ; first = false {
		if at >= len(line) {
			return token{}, 0
		}
		if line[at] == ']' && !first {
			break
		}
		length := member(&set, line[at:])
		if length == 0 {
			return token{}, 0
		}
		at += length
	}
	for c := range set {
		set[c] = set[c] != isNegated && c != '/'
	}
	return token{kind: one, set: &set}, at + 1 - from
}

// member adds to a set the member at the beginning of a text: a byte, a range or a named class. It
// returns its length in bytes; 0 if git doesn't understand it.
func member(set *[256]bool, text string) int {
	if name, _, _ := strings.Cut(text[1:], "]"); text[0] == '[' && len(name) > 1 && name[0] == ':' && name[len(name)-1] == ':' {
		in := classes[name[1:len(name)-1]]
		if in == nil {
			return 0
		}
		for c := range set {
			set[c] = set[c] || in(byte(c))
		}
		return len(name) + 2
	}
	low, length := escaped(text)
	high := low
	if length > 0 && len(text) > length+1 && text[length] == '-' && text[length+1] != ']' {
		more := 0
		if high, more = escaped(text[length+1:]); more == 0 {
			return 0
		}
		length += 1 + more
	}
	for c := int(low); c <= int(high); c++ {
		set[c] = true
	}
	return length
}

// escaped is the byte at the beginning of a text, which a backslash may be before.
func escaped(text string) (c byte, length int) {
	switch {
	case text[0] != '\\':
		return text[0], 1
	case len(text) == 1:
		return 0, 0
	}
	return text[1], 2
}

var classes = map[string]func(byte) bool{
	"alnum":  func(c byte) bool { return isLetter(c) || isDigit(c) },
	"alpha":  isLetter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  isDigit,
	"graph":  func(c byte) bool { return '!' <= c && c <= '~' },
	"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print":  func(c byte) bool { return ' ' <= c && c <= '~' },
	"punct":  func(c byte) bool { return '!' <= c && c <= '~' && !isLetter(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
	"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// Matches reports whether the pattern matches a directory, whose path is relative to the pattern's
// directory. It returns how much work that was.
func (p *Pattern) Matches(path string) (matches bool, work int) {
	if p.isName {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	return matchTokens(p.tokens, path)
}

// A retreat is the point from which matching continues after a star takes one more byte, or one
// more name.
type retreat struct{ token, path int }

// matchTokens matches a whole path. Only the last star, and the last ** before it, ever need to
// take more: whatever an earlier one could take, a later one can take as well.
func matchTokens(tokens []token, path string) (matches bool, work int) {
	none := retreat{-1, -1}
	lastStar, lastNames := none, none
	t, at := 0, 0
	for {
		work++
		switch {
		case t == len(tokens) && at == len(path):
			return true, work
		case t < len(tokens) && tokens[t].kind == rest:
			return true, work
		case t < len(tokens) && tokens[t].kind == star:
			lastStar = retreat{t, at}
			t++
			continue
		case t < len(tokens) && tokens[t].kind == names:
			lastStar, lastNames = none, retreat{t, at}
			t++
			continue
		case t < len(tokens) && at < len(path) && tokens[t].takes(path[at]):
			if path[at] == '/' {
				lastStar = none // it ends with the name
			}
			t, at = t+1, at+1
			continue
		}
		if lastStar != none && lastStar.path < len(path) && path[lastStar.path] != '/' {
			lastStar.path++
			t, at = lastStar.token+1, lastStar.path
			continue
		}
		slash := -1
		if lastNames != none {
			slash = strings.IndexByte(path[lastNames.path:], '/')
		}
		if slash < 0 {
			return false, work
		}
		lastStar, lastNames.path = none, lastNames.path+slash+1
		t, at = lastNames.token+1, lastNames.path
	}
}

func (t token) takes(c byte) bool {
	if t.kind == one {
		return t.set[c]
	}
	return t.char == c
}

// indexes knows which directories have tracked files. Git is called once for each repository, and
// only if a .gitignore file names a directory.
type indexes struct {
	search    *Search
	known     map[string]*index // by the top of the repository
	isTired   bool              // git was too slow once
	hasNoted  bool              // about a missing repository
	hasWarned bool              // of too many repositories
}

// An index is the directories of a repository that have tracked files in them or below.
type index struct {
	dirs       map[string]bool   // by their paths from the top
	submodules map[string]string // the ids of their commits
	err        error             // why nothing is known
	isReported bool
}

// maxIndexes is how many repositories git is called for. An archive may hold as many as its author
// likes.
const maxIndexes = 100

// isTracked reports whether a directory that .gitignore names has tracked files, in one of the
// repositories that it is in, which are given by their tops, the innermost last. It may have some
// where nobody knows.
func (x *indexes) isTracked(repositories []string, dir string) bool {
	if len(repositories) == 0 {
		x.noteNone(filepath.Dir(dir))
	}
	for _, top := range slices.Backward(repositories) {
		rel, err := filepath.Rel(top, dir)
		of := x.of(top)
		x.report(top, of)
		if err != nil || of.err != nil || of.dirs[folded(filepath.ToSlash(rel))] {
			return true
		}
	}
	return len(repositories) == 0
}

// noteNone notes once that a directory isn't in a repository.
func (x *indexes) noteNone(dir string) {
	if !x.hasNoted {
		x.search.Note(fmt.Sprintf("Note: %s is not in a Git repository, so -r also searches directories that .gitignore names",
			diag.Escape(repo.FromHere(dir))))
	}
	x.hasNoted = true
}

// of is the index of a repository.
func (x *indexes) of(top string) *index {
	if x.known[top] == nil {
		made := &index{dirs: map[string]bool{}, submodules: map[string]string{}}
		switch {
		case x.isTired:
			made.err = gitrev.ErrTooSlow
		case len(x.known) >= maxIndexes:
			made.err = errTooMany
		default:
			made.err = gitrev.TrackedDirs(top, made.add)
			x.isTired = errors.Is(made.err, gitrev.ErrTooSlow)
		}
		x.known[top] = made
	}
	return x.known[top]
}

// submodule is the id of the commit of a submodule that fills a directory; empty for another
// directory.
func (x *indexes) submodule(dir string) string {
	top := repo.Root(filepath.Dir(dir))
	rel, err := filepath.Rel(top, dir)
	if err != nil || !repo.IsRoot(top) {
		return ""
	}
	return x.of(top).submodules[folded(filepath.ToSlash(rel))]
}

var errTooMany = errors.New("there are too many repositories")

// report prints once why nothing is known of an index.
func (x *indexes) report(top string, of *index) {
	if of.err == nil || of.isReported {
		return
	}
	of.isReported = true
	switch {
	case errors.Is(of.err, gitrev.ErrNoRepository): // a .git that Git doesn't accept
		x.noteNone(top)
	case of.err == errTooMany && x.hasWarned:
	default:
		x.hasWarned = x.hasWarned || of.err == errTooMany
		x.search.Warn(fmt.Sprintf("git can't list the tracked files of %s, so -r also searches directories that .gitignore names there: %v",
			diag.Escape(repo.FromHere(top)), of.err))
	}
}

// add adds a directory with tracked files, or a submodule, and those above it.
func (x *index) add(dir, submodule string) {
	if submodule != "" {
		x.submodules[folded(dir)] = submodule
	}
	for dir = folded(dir); dir != "." && !x.dirs[dir]; dir = path.Dir(dir) {
		x.dirs[dir] = true
	}
}

// hasOneName is set where a file system takes names for one that differ in case, or in the
// forms of their letters.
const hasOneName = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

// folded is the common form of all names of a directory.
func folded(path string) string {
	if !hasOneName {
		return path
	}
	return strings.ToLower(norm.NFC.String(path))
}

// A Past holds the directories of a revision below one directory.
type Past struct {
	modules []string        // that hold configuration, by their paths from the root, with slashes
	dirs    map[string]bool // those, and the ones above them
	deep    string          // the first directory that is too deep
	caches  int             // directories in which other programs keep copies of modules
	missing map[string]missingSubmodule
	// IsMoved, if set, reports whether a past directory is the earlier form of a present one, given
	// the paths of all that are found.
	IsMoved func(now []string) func(rel string) bool
}

// A Tree is the tree of a revision, or of an index, as package gitrev reads it.
type Tree interface {
	Walk(name string, visit func(rel string, files []string) error, missing func(rel, commit string, why error)) error
}

// ReadPast reads the directories of a tree below one.
func ReadPast(t Tree, root string) (*Past, error) {
	p := &Past{dirs: map[string]bool{}, missing: map[string]missingSubmodule{}}
	err := t.Walk(root, func(rel string, files []string) error {
		switch {
		case isReserved(path.Base(rel)):
			p.caches++
			return fs.SkipDir
		case strings.Count(rel, "/") >= maxWalk:
			p.deep = cmp.Or(p.deep, rel)
			return fs.SkipDir
		}
		if slices.ContainsFunc(files, IsConfigName) {
			p.add(rel)
		}
		return nil
	}, func(rel, commit string, why error) { p.missing[rel] = missingSubmodule{commit, why} })
	return p, err
}

// ReadOther finds the modules below another directory, as a search does below its own.
func ReadOther(s *Search, dir string) (*Past, error) {
	p := &Past{dirs: map[string]bool{}}
	found, err := s.Find([]string{dir})
	for _, subject := range found.Subjects {
		rel, _ := filepath.Rel(dir, subject.Dir) // which is below it
		p.add(filepath.ToSlash(rel))
	}
	return p, err
}

// add adds a directory that holds configuration.
func (p *Past) add(rel string) {
	p.modules = append(p.modules, rel)
	for at := rel; at != "." && at != "" && !p.dirs[at]; at = path.Dir(at) {
		p.dirs[at] = true
	}
}

// has reports whether the revision has configuration in a directory or below it.
func (p *Past) has(rel string) bool { return p != nil && p.dirs[rel] }

// A pastBelow holds the earlier directories below the directory of an argument.
type pastBelow struct {
	*Past
	root     string
	argument int
}

// addPasts adds the directories that held modules at the revision and were not found.
func (f *finder) addPasts() {
	var now []string
	for _, s := range f.list {
		now = append(now, s.Dir)
	}
	for _, p := range f.pasts {
		f.argument = p.argument
		isMoved := func(string) bool { return false }
		if p.IsMoved != nil {
			isMoved = p.IsMoved(now)
		}
		for _, rel := range p.modules {
			if f.excludedAbove(rel) == "" && !isMoved(rel) {
				known := len(f.list)
				s := f.at(filepath.Join(p.root, filepath.FromSlash(rel)))
				s.Files, s.IsPast = nil, len(f.list) > known
			}
		}
	}
}

// excludedAbove is the outermost directory that --exclude skips of one and those above it; empty
// if it skips none.
func (s *Search) excludedAbove(rel string) (outermost string) {
	for ; rel != "." && rel != ""; rel = path.Dir(rel) {
		if s.isExcluded(rel) {
			outermost = rel
		}
	}
	return outermost
}
