package gitrev

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// asked are the attributes that decide on what a checkout makes of a file.
var asked = []string{"text", "crlf", "eol", "ident", "filter", "working-tree-encoding"}

// attributes says what .gitattributes of a revision, and those of the user, say of files.
// It asks git, which finds the files of the revision in an index that holds nothing else.
type attributes struct {
	git git

	mutex   sync.Mutex
	config  map[string]string
	files   map[string]string // ids of .gitattributes by path
	looked  map[string]bool   // directories in which one was looked for
	index   string            // a file of our own, until git has read it; else ""
	checker *pipe
}

// of returns the attributes of a file: unspecified, set, unset or a value each.
func (r *Revision) attributesOf(at place) (map[string]string, map[string]string, error) {
	a := &r.attributes
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.config == nil {
		config, err := a.git.settings()
		if err != nil {
			return nil, nil, err
		}
		a.config = config
	}
	if err := r.findAttributes(at); err != nil {
		return nil, nil, err
	}
	found := map[string]string{}
	err := a.checker.ask(at.path+"\x00", func(from *bufio.Reader) error {
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
func (r *Revision) findAttributes(at place) error {
	a := &r.attributes
	if a.looked == nil {
		a.looked, a.files = map[string]bool{}, map[string]string{}
	}
	known := len(a.files)
	for dir := path.Dir(at.path); !a.looked[dir]; dir = path.Dir(dir) {
		a.looked[dir] = true
		if found, err := r.lookup(dir + "/.gitattributes"); err == nil && found.outside == "" && found.at == "" &&
			strings.HasPrefix(string(found.mode), "100") && found.path == path.Join(dir, ".gitattributes") {
			a.files[found.path] = found.id
		}
	}
	if a.checker != nil && len(a.files) == known {
		return nil
	}
	return a.restart()
}

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
			return err
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
	a.checker = &pipe{git: g, args: append([]string{"check-attr", "--cached", "--stdin", "-z"}, asked...)}
	return nil
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

// settings are those of Git that decide on line ends, and which filters it has.
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
