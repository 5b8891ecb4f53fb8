package gitrev

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

// asked are the attributes that affect a file's checkout.
var asked = []string{"text", "crlf", "eol", "ident", "filter", "working-tree-encoding"}

// attributes holds the .gitattributes of a revision, and the user's, for files. It runs git, which
// finds the files of the revision in an index that holds nothing else.
type attributes struct {
	git git
	at  string // the submodule that they are of; "" for the outermost repository

	mutex   sync.Mutex
	config  map[string]string
	files   map[string]string // ids of .gitattributes by path
	looked  map[string]bool   // directories in which one was looked for
	index   string            // a file of our own, until git has read it; else ""
	checker *pipe
	starts  int
	isWhole bool // the checker knows all files, as for an index
}

// attributesIn are the attributes in the repository of a snapshot.
func (r *Revision) attributesIn(s snapshot) *attributes {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	a := r.attributes[s.at]
	if a == nil {
		a = &attributes{git: s.repo.git, at: s.at, looked: map[string]bool{}, files: map[string]string{}}
		r.attributes[s.at] = a
	}
	return a
}

// attributesOf returns the attributes of a file, unspecified, set, unset or a value each,
// and the settings.
func (r *Revision) attributesOf(at place) (found, config map[string]string, err error) {
	a := r.attributesIn(at.snapshot)
	rel := strings.TrimPrefix(strings.TrimPrefix(at.path, a.at), "/")
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.config == nil {
		if a.config, err = a.git.settings(); err != nil {
			return nil, nil, err
		}
	}
	if !a.isWhole {
		if err := r.findAttributes(a, rel); err != nil {
			return nil, nil, err
		}
	}
	found = map[string]string{}
	err = a.checker.ask(rel+"\x00", func(from *bufio.Reader) error {
		for range asked {
			var words [3]string
			for i := range words {
				word, err := from.ReadString(0)
				if err != nil {
					return err
				}
				words[i] = strings.TrimSuffix(word, "\x00")
			}
			found[words[1]] = words[2]
		}
		return nil
	})
	a.removeIndex() // which git has read
	return found, a.config, err
}

// findAttributes has git know the .gitattributes of the directories above a file.
func (r *Revision) findAttributes(a *attributes, rel string) error {
	known := len(a.files)
	for dir := path.Dir(rel); !a.looked[dir]; dir = path.Dir(dir) {
		a.looked[dir] = true
		name := path.Join(dir, gitattributes)
		found, err := r.lookup(path.Join(a.at, name))
		if err == nil && found.isFile() && found.path == path.Join(a.at, name) { // and no link on the way
			a.files[name] = found.id
		}
	}
	if a.checker != nil && len(a.files) == known {
		return nil
	}
	if a.starts++; a.starts > maxStarts {
		if err := r.findAllAttributes(a); err != nil {
			return err
		}
	}
	return a.restart()
}

// maxStarts is how often git is restarted before all .gitattributes are read.
const maxStarts = 3

// findAllAttributes finds the .gitattributes of all directories.
func (r *Revision) findAllAttributes(a *attributes) error {
	return r.Walk(a.at, func(rel string, files []string) error {
		dir := path.Join(".", rel)
		if a.looked[dir] = true; !slices.Contains(files, gitattributes) {
			return nil
		}
		found, err := r.lookup(path.Join(a.at, rel, gitattributes))
		if err == nil && found.isFile() {
			a.files[path.Join(rel, gitattributes)] = found.id
		}
		return nil
	}, nil)
}

// gitattributes is the name of files with attributes.
const gitattributes = ".gitattributes"

// restart starts asking with an index of the known .gitattributes.
func (a *attributes) restart() error {
	if a.checker != nil {
		a.checker.close()
	}
	g := a.git
	g.index = filepath.Join(os.TempDir(), "tofumerge-"+rand.Text()) // which is not there, as an empty index
	if len(a.files) > 0 {
		dir, err := os.MkdirTemp("", "tofumerge-attributes-")
		if err != nil {
			return input.NoTempDir(err)
		}
		a.index = filepath.Join(dir, "index")
		g.index = a.index
		var list strings.Builder
		for name, id := range a.files {
			fmt.Fprintf(&list, "100644 %s\t%s\x00", id, name)
		}
		if _, err := g.output([]byte(list.String()), "update-index", "-z", "--add", "--index-info"); err != nil {
			return err
		}
	}
	a.checker = &pipe{git: g, args: checkAttributes()}
	return nil
}

// checkAttributes are the arguments of git that answer questions about attributes.
func checkAttributes() []string {
	return append([]string{"check-attr", "--cached", "--stdin", "-z"}, asked...)
}

func (a *attributes) close() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.checker != nil {
		a.checker.close()
	}
	a.removeIndex()
}

func (a *attributes) removeIndex() {
	if a.index != "" {
		_ = os.RemoveAll(filepath.Dir(a.index))
		a.index = ""
	}
}

// settings are Git's settings for line ends, and its filters.
func (g git) settings() (map[string]string, error) {
	out, err := g.output(nil, "config", "-z", "--get-regexp", `^(core\.(autocrlf|eol)|filter\..*\.(smudge|process))$`)
	if failed := (*gitError)(nil); errors.As(err, &failed) && failed.said == "" {
		out, err = nil, nil // there are none
	}
	found := map[string]string{}
	for line := range strings.SplitSeq(string(out), "\x00") {
		name, value, hasValue := strings.Cut(line, "\n")
		if !hasValue {
			value = "true"
		}
		found[name] = value
	}
	return found, err
}
