package discover

import "strings"

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
