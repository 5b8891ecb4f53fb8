package gitrev

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// readable converts the stored text of the file at a place for comparison with the working tree: if Git on this
// machine converts line ends, the result has those of the checked-out file. With IsStored, it stays as stored.
// readable refuses a file whose stored form differs in more than line ends, because the difference would look like a
// change. limit is the maximum size in bytes.
func (r *Revision) readable(at place, text []byte, limit int64) ([]byte, error) {
	name := strings.TrimPrefix(strings.TrimPrefix(at.path, at.submodule), "/") // the path in its own repository
	attr, config, err := at.repo.attributesOf(name)
	if err == nil {
		err = r.checkForm(name, attr, config, text)
	}
	if err != nil || r.IsStored || !isConverted(attr, config, text) {
		return text, err
	}
	if text = r.withEndsHere(at, text, isCRLF(attr, config), limit); int64(len(text)) > limit {
		return nil, input.TooLargeError(limit)
	}
	return text, nil
}

// checkForm returns an error for a file whose stored form differs from the checked-out one by more than line ends.
// attr are its attributes, config Git's settings. Filters are programs, which tofumerge doesn't run. If the file is
// read from the index (IsStored, by --tracked), a filter is refused even if this machine has no program for it, so
// that all machines agree.
func (r *Revision) checkForm(name string, attr, config map[string]string, text []byte) error {
	filter := attr["filter"]
	isFilter := isValue(filter)
	switch encoding := attr["working-tree-encoding"]; {
	case bytes.HasPrefix(text, []byte("version https://git-lfs.github.com/spec/")):
		return errors.New("its content is in Git LFS, not in the repository")
	case isFilter && r.IsStored:
		return fmt.Errorf("its stored form differs, through the filter %s, which tofumerge doesn't run; leave out --tracked, or the filter in .gitattributes", diag.Escape(filter))
	case isFilter && (config["filter."+filter+".smudge"] != "" || config["filter."+filter+".process"] != ""):
		return fmt.Errorf("a checkout passes it through the filter %s of Git, which tofumerge doesn't run", diag.Escape(filter))
	case attr["ident"] == "set" && bytes.Contains(text, []byte("$Id")):
		return errors.New("a checkout writes its id into $Id$; remove the attribute ident of " + diag.Escape(name) + " in .gitattributes, and add that to the index")
	case isValue(encoding) && !strings.EqualFold(encoding, "UTF-8") && !strings.EqualFold(encoding, "UTF8"):
		return fmt.Errorf("a checkout writes it in the encoding %s, but engines read UTF-8; remove the attribute working-tree-encoding of %s in .gitattributes, and add that to the index",
			diag.Escape(encoding), diag.Escape(name))
	}
	return nil
}

// isValue reports whether an attribute has a value (eol=lf), and isn't only set (text) or unset (-text).
func isValue(attr string) bool {
	return attr != "" && attr != "unspecified" && attr != "unset" && attr != "set"
}

// isConverted reports whether Git stores the lines of a file with LF, whatever they end with in the working tree.
// See gitattributes(5), "text".
func isConverted(attr, config map[string]string, text []byte) bool {
	kind, autocrlf := attr["text"], strings.ToLower(config["core.autocrlf"])
	isText := kind == "set" || kind == "input"        // input is a value of crlf, the old name of text
	hasEnds := kind != "auto" && isValue(attr["eol"]) // eol alone implies text
	// Otherwise Git converts what looks like text, if it is told to guess.
	guesses := kind == "auto" || autocrlf == "true" || autocrlf == "input"
	switch {
	case kind == "unset" || bytes.IndexByte(text, '\n') < 0:
		return false
	case isText || hasEnds:
		return true
	}
	return guesses && isPlainText(text)
}

// isCRLF reports whether a checkout ends the lines of a file for which isConverted is true with CR LF. Attributes
// come before settings, and core.autocrlf before core.eol; without any, the system decides. See gitattributes(5),
// "eol", and git-config(1).
func isCRLF(attr, config map[string]string) bool {
	autocrlf, eol := strings.ToLower(config["core.autocrlf"]), config["core.eol"]
	switch {
	case attr["text"] == "input" || attr["eol"] == "lf": // input is a value of crlf, the old name of text
		return false
	case attr["eol"] == "crlf" || autocrlf == "true":
		return true
	}
	return autocrlf != "input" && (eol == "crlf" || runtime.GOOS == "windows" && eol != "lf")
}

// isPlainText guesses, for a file without a text attribute, whether Git converts it: its text must have no CR
// or zero byte, and few control characters.
func isPlainText(text []byte) bool {
	printable, odd := 0, 0
	for i, c := range text {
		switch {
		case c == '\r' || c == 0:
			return false
		case c == '\n' || c == 0x1a && i == len(text)-1:
		case c < ' ' && !bytes.ContainsRune([]byte("\b\t\f\x1b"), rune(c)) || c == 0x7f:
			odd++
		default:
			printable++
		}
	}
	return printable>>7 >= odd // Git's limit: one in 128
}

// withEndsHere returns a stored text with the line ends that its file, at a place, has in the working tree. If that
// file is missing or has no lines, isCRLF decides.
func (r *Revision) withEndsHere(at place, text []byte, isCRLF bool, limit int64) []byte {
	here, err := input.Read(filepath.Join(r.Root, filepath.FromSlash(at.path)), limit)
	hasLines := r.Root != "" && err == nil && bytes.IndexByte(here, '\n') >= 0
	if hasLines {
		text = withLF(text)
		if bytes.Equal(withLF(here), text) { // equal but for line ends: take the file as it is
			return here // since it may mix line ends
		}
		isCRLF = bytes.Contains(here, []byte("\r\n"))
	}
	if isCRLF {
		text = bytes.ReplaceAll(withLF(text), []byte("\n"), []byte("\r\n"))
	}
	return text
}

// withLF returns a text with LF in place of CR LF.
func withLF(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// formAttributes lists the attributes that make Git store a file in another form than a checkout has.
var formAttributes = []string{"text", "crlf", "eol", "ident", "filter", "working-tree-encoding"}

// convertBy makes g answer how Git converts files of the repository: attributesOf asks it for the attributes and
// settings that decide line ends and filters. The attributes come from the .gitattributes files in the index, which a
// checkout obeys before those in the working tree.
func (r *repository) convertBy(g git) {
	args := append([]string{"check-attr", "--cached", "--stdin", "-z"}, formAttributes...)
	r.checker, r.settings = &pipe{git: g, args: args}, sync.OnceValues(g.settings)
}

// attributesOf returns the formAttributes of a file, by its path in the repository, and Git's settings. The value of
// an attribute may also be unspecified, set or unset.
func (r *repository) attributesOf(name string) (attr, config map[string]string, err error) {
	if config, err = r.settings(); err != nil {
		return nil, nil, err
	}
	attr = map[string]string{}
	err = r.checker.ask(name+"\x00", func(from *bufio.Reader) error {
		for range formAttributes {
			words, err := wordsOf(from, 3) // the path, the attribute and its value
			if err != nil {
				return err
			}
			attr[words[1]] = words[2]
		}
		return nil
	})
	if attr["text"] == "unspecified" {
		attr["text"] = attr["crlf"] // its old name
	}
	return attr, config, err
}

// wordsOf reads a number of words, each of which ends with a zero byte.
func wordsOf(from *bufio.Reader, number int) ([]string, error) {
	words := make([]string, number)
	for i := range words {
		word, err := from.ReadString(0)
		if err != nil {
			return nil, err
		}
		words[i] = strings.TrimSuffix(word, "\x00")
	}
	return words, nil
}

// settings returns Git's settings for line ends and of filters, by their names.
func (g git) settings() (map[string]string, error) {
	out, err := g.output("config", "-z", "--get-regexp", `^(core\.(autocrlf|eol)|filter\..*\.(smudge|process))$`)
	if failed := (*gitError)(nil); errors.As(err, &failed) && failed.said == "" {
		out, err = nil, nil // git fails silently if nothing is set
	}
	found := map[string]string{}
	for line := range strings.SplitSeq(string(out), "\x00") {
		name, value, hasValue := strings.Cut(line, "\n")
		if !hasValue { // a name alone sets a boolean
			value = "true"
		}
		found[name] = value
	}
	return found, err
}

// The index of a repository: the content of the next commit. It is read as a revision whose files
// are the stored bytes, because there may be no checkout of them.

// IndexVariable is the environment variable through which a hook learns from which index a commit
// is made.
const IndexVariable = "GIT_INDEX_FILE"

// IndexName is the Name of an index.
const IndexName = "the index"

// unmergedMode is the mode of a path with a merge conflict, of which the index has several versions.
const unmergedMode mode = "unmerged"

// indexTree is the prefix of the ids of trees that are made from the index. An index has no trees.
const indexTree = "index:"

// OpenIndex opens the index of the repository whose working tree is the directory root. file is the value of
// IndexVariable if that is about this repository: a relative path starts at the root, as for git.
func OpenIndex(root, gitDir, file string) (*Revision, error) {
	repo, err := open(root, gitDir)
	if err != nil {
		return nil, err
	}
	r := newRevision(IndexName, repo, indexTree)
	if err := r.readIndex(file); err != nil {
		repo.close()
		return nil, err
	}
	return r, nil
}

// readIndex fills r.trees with the names in the index, which can then be read as a revision. file is the index file
// to read; empty for the repository's own.
func (r *Revision) readIndex(file string) error {
	// Choose the index file.
	repo := r.top.repo
	if repo.root == "" {
		return fmt.Errorf("the repository of %s has no working tree, so it has no index", diag.Escape(repo.git.dir))
	}
	g := repo.git
	if file != "" {
		if !filepath.IsAbs(file) {
			file = filepath.Join(repo.root, file)
		}
		if _, err := os.Stat(file); err != nil { // git would read an empty index
			return fmt.Errorf("%s doesn't name a readable index: %s", IndexVariable, diag.Escape(file))
		}
		g.index = file
	}
	r.IsStored = true
	repo.convertBy(g)
	// List its entries, and those that the next commit won't have.
	out, err := g.output("ls-files", "--stage", "-z")
	if err != nil {
		return err
	}
	var list []entry
	if err := eachEntry(bufio.NewReader(bytes.NewReader(out)), func(e entry) { list = append(list, e) }); err != nil {
		return err
	}
	planned, err := g.intendedToAdd(list)
	if err != nil {
		return err
	}
	// Put each of the others into the tree of its directory.
	r.indexDir(".") // makes the root, even for an empty index
	for _, e := range list {
		if !planned[e.name] {
			r.indexDir(path.Dir(e.name)).put(entry{path.Base(e.name), e.mode, e.id})
		}
	}
	return nil
}

// eachEntry visits the entries in the output of git ls-files --stage -z: for each file a mode, an id and a stage with
// blanks between them, a tab, a path and a zero. The names of the entries are whole paths. A stage other than 0
// means a merge conflict.
func eachEntry(from *bufio.Reader, visit func(entry)) error {
	for {
		line, err := from.ReadString(0)
		switch {
		case errors.Is(err, io.EOF) && line == "":
			return nil
		case err != nil:
			return errors.New("git ls-files ended in the middle of a line")
		}
		about, name, _ := strings.Cut(strings.TrimSuffix(line, "\x00"), "\t")
		kind, rest, _ := strings.Cut(about, " ")
		id, stage, isStaged := strings.Cut(rest, " ")
		if !isStaged || name == "" || path.Clean("/" + name)[1:] != name {
			return fmt.Errorf("git ls-files printed %s", diag.Escape(line[:min(len(line), 200)]))
		}
		if stage != "0" {
			kind = string(unmergedMode)
		}
		visit(entry{name: name, mode: mode(kind), id: id})
	}
}

// intendedToAdd returns those paths in list, the entries of the index, that come from git add --intent-to-add: the
// index has them, but the next commit won't. Such an entry has the id of an empty file. Really empty files have it,
// too, but a diff from the empty tree to the index lists only the really empty ones.
func (g git) intendedToAdd(list []entry) (map[string]bool, error) {
	// First collect all entries of empty files. size is the length of their ids, which tells the hash function.
	planned := map[string]bool{}
	size := 0
	for _, e := range list {
		if e.mode != unmergedMode && e.id == emptyID("blob", len(e.id)) {
			planned[e.name] = true
			size = len(e.id)
		}
	}
	if len(planned) == 0 {
		return nil, nil
	}
	out, err := g.output("diff-index", "--cached", "--ita-invisible-in-index", "--no-renames", "--name-only", "-r", "-z",
		"--ignore-submodules=all", emptyID("tree", size), "--")
	// Then drop those that are in the diff, which are really empty. After an error, the caller ignores planned.
	for name := range bytes.SplitSeq(out, []byte{0}) {
		delete(planned, string(name))
	}
	return planned, err
}

// emptyID returns the id of an empty object of a kind, blob or tree. size is the number of digits in the repository's
// ids, which tells its hash function: SHA-1 or SHA-256.
func emptyID(kind string, size int) string {
	h := sha1.New()
	if size == 2*sha256.Size {
		h = sha256.New()
	}
	_, _ = io.WriteString(h, kind+" 0\x00")
	return hex.EncodeToString(h.Sum(nil))
}

// indexDir returns the tree for a directory of the index. The first call for a directory makes it, with all
// directories above it.
func (r *Revision) indexDir(name string) *tree {
	key := "\x00" + indexTree // as entries makes keys of r.trees
	if name != "." {
		key += name
	}
	found, isKnown := r.trees.LoadOrStore(key, &tree{byName: map[string]int{}})
	if !isKnown && name != "." {
		r.indexDir(path.Dir(name)).put(entry{path.Base(name), treeMode, indexTree + name})
	}
	return found.(*tree)
}

// put adds an entry to a directory. A path with a merge conflict comes several times, once for each version. It gets
// one entry, which takes precedence over a directory of that name.
func (t *tree) put(e entry) {
	i, isKnown := t.byName[e.name]
	switch {
	case !isKnown:
		t.byName[e.name] = len(t.list)
		t.list = append(t.list, e)
	case e.mode == unmergedMode:
		t.list[i] = e
	}
}

// Submodules lists the submodules in the index of the repository whose working tree is the directory root: the ids
// of their commits, by their paths from root in normal spelling.
func Submodules(root string) (map[string]string, error) {
	found := map[string]string{}
	out, err := query(root, "", "ls-files", "-z", "--stage")
	if err == nil {
		err = eachEntry(bufio.NewReader(strings.NewReader(out)), func(e entry) {
			if e.mode == submoduleMode {
				found[spelling.Normal(e.name)] = e.id
			}
		})
	}
	return found, err
}

// SparseDirs returns the directories, as paths from root, of files that are in the index but that a sparse checkout
// leaves out. The repository is gitDir or, if that is empty, the one whose working tree is root.
func SparseDirs(root, gitDir string) (map[string]bool, error) {
	out, err := query(root, gitDir, "ls-files", "-t", "-z")
	dirs := map[string]bool{}
	for line := range strings.SplitSeq(out, "\x00") {
		if name, isLeftOut := strings.CutPrefix(line, "S "); isLeftOut {
			dirs[path.Dir(name)] = true
		}
	}
	return dirs, err
}
