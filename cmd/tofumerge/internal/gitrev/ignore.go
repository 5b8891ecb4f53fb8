package gitrev

import (
	"bufio"
	"fmt"
	"path"
	"strings"
)

// gitignore is the name of the files with git's ignore patterns.
const gitignore = ".gitignore"

// IgnoredBy is the location, as FILE:LINE from the root, at which a .gitignore file names a path,
// whether or not the path is tracked; empty if none does. Files of ignored names outside of the
// repository are not read, because they differ from machine to machine.
func (r *Revision) IgnoredBy(name string) (at string, err error) {
	r.mutex.Lock()
	if r.ignores == nil {
		r.ignores = &pipe{git: r.top.repo.git, args: []string{
			"check-ignore", "--no-index", "--stdin", "-z", "--verbose", "--non-matching",
		}}
	}
	asked := r.ignores
	r.mutex.Unlock()
	var words [4]string // the file, the line, the pattern and the queried path
	err = asked.ask("./"+name+"\x00", func(from *bufio.Reader) error {
		for i := range words {
			word, err := from.ReadString(0)
			if err != nil {
				return err
			}
			words[i] = strings.TrimSuffix(word, "\x00")
		}
		return nil
	})
	isExcepted := strings.HasPrefix(words[2], "!")
	if err != nil || isExcepted || path.Base(words[0]) != gitignore || path.IsAbs(words[0]) {
		return "", err
	}
	return fmt.Sprintf("%s:%s", words[0], words[1]), nil
}
