package gitrev

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// fullPrefix is the prefix of full names of branches and tags, which mean nothing else.
const fullPrefix = "refs/"

// refPrefixes are the prefixes that git tries for a name, in its order (gitrevisions(7), "refname").
// Git takes the first one, so a tag hides the branch of the same name.
var refPrefixes = []string{fullPrefix, "refs/tags/", "refs/heads/", "refs/remotes/"}

// checkAmbiguous refuses a revision whose name stands for several branches or tags with different
// commits. Anybody who may push a tag could otherwise choose which one is read.
func (r *repository) checkAmbiguous(rev string) error {
	name := refName(rev)
	if name == "" || strings.HasPrefix(name, fullPrefix) || name == "HEAD" || strings.HasSuffix(name, "_HEAD") {
		return nil
	}
	var named, ids []string
	for _, prefix := range refPrefixes {
		found, err := r.objects.find(prefix + name + "^{}")
		switch {
		case errors.Is(err, errMissing):
			continue
		case err != nil:
			return err
		}
		named, ids = append(named, prefix+name), append(ids, found.id)
	}
	if IsHash(name) && len(named) > 0 {
		if id := r.abbreviated(name); id != "" {
			named, ids = append(named, id), append(ids, id)
		}
	}
	slices.Sort(ids)
	if len(slices.Compact(ids)) < 2 {
		return nil
	}
	return fmt.Errorf("%s is ambiguous: it names %s; name one of them in full", diag.Escape(rev), diag.Escape(strings.Join(named, " and ")))
}

// abbreviated is the hash that a text abbreviates; empty if there is none.
func (r *repository) abbreviated(text string) string {
	out, _ := r.git.output(nil, "rev-parse", "--disambiguate="+text) // without any, it prints nothing
	id, _, _ := strings.Cut(string(out), "\n")
	return id
}

// refName is the name of a branch or a tag with which a revision begins; empty for one that begins
// otherwise, such as :/text.
func refName(rev string) string {
	if n := strings.IndexAny(rev, "^~:"); n >= 0 {
		rev = rev[:n]
	}
	rev, _, _ = strings.Cut(rev, "@{")
	return strings.TrimSuffix(rev, "...")
}

// ShortName shortens the full name of a branch or a tag for people.
func ShortName(rev string) string {
	for _, prefix := range slices.Backward(refPrefixes) {
		if short, isFull := strings.CutPrefix(rev, prefix); isFull {
			return cmp.Or(short, rev)
		}
	}
	return rev
}
