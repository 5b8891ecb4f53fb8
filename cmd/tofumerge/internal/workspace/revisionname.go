package workspace

import (
	"fmt"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// A Rev is REV or REV:DIR.
type Rev struct {
	Name, Dir string
	HasDir    bool
}

// String writes the name as ParseRev reads it; empty for none.
func (n *Rev) String() string {
	switch {
	case n == nil:
		return ""
	case n.HasDir:
		return n.Name + ":" + n.Dir
	}
	return n.Name
}

// A revError is a text that can't be the name of a revision.
type revError struct{ flag, text string }

func (e *revError) Error() string {
	if rest, isPrefixed := strings.CutPrefix(e.text, "git:"); isPrefixed && rest != "" {
		return fmt.Sprintf("--%s takes the bare name of a revision; use --%[1]s %s", e.flag, diag.Escape(rest))
	}
	return fmt.Sprintf("--%s needs the name of a revision, such as main or HEAD~1", e.flag)
}

// ParseRev reads the name of a revision, which a flag was given. A colon outside of braces begins
// the directory.
func ParseRev(flag, text string) (n Rev, err error) {
	n.Name = text
	braces := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			braces++
		case '}':
			braces--
		}
		if text[i] == ':' && braces <= 0 { // not as in main@{2024-05-01 10:00}:modules/web
			n = Rev{text[:i], text[i+1:], true}
			break
		}
	}
	if n.Name == "" || n.Name == "git" && n.HasDir {
		return n, &revError{flag, text}
	}
	return n, nil
}
