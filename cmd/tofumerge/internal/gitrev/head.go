package gitrev

import "strings"

// maxCommit is how many bytes of a commit are read to find its parents.
const maxCommit = 1 << 20

// IsBeforeMerge reports whether HEAD is a merge commit, and not the revision itself. If git doesn't
// know, it is false. A shallow clone knows it, too, though it doesn't have the parents.
func (r *Revision) IsBeforeMerge() bool {
	return r.isBeforeMerge()
}

func (r *Revision) findMerge() bool {
	objects := r.top.repo.objects
	head, err := objects.find("HEAD^{commit}")
	if err != nil {
		return false
	}
	if own, err := objects.find(r.Name + "^{commit}"); err == nil && own.id == head.id {
		return false
	}
	text, err := objects.read(head.id, "commit", maxCommit)
	if err != nil {
		return false
	}
	header, _, _ := strings.Cut(string(text), "\n\n")
	return strings.Count("\n"+header, "\nparent ") > 1
}
