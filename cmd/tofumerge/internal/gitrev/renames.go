package gitrev

import "strings"

// maxRenames is how many files on each side git compares to find renames.
const maxRenames = "1000"

// Renames lists which files of the index, by path, have another name in the revision. If git
// doesn't know, there are none.
func (r *Revision) Renames() map[string]string {
	return r.renames()
}

func (r *Revision) findRenames() map[string]string {
	found := map[string]string{}
	out, err := r.top.repo.git.output(nil, "diff-index", "--cached", "-r", "-z", "-M", "-l"+maxRenames, "--name-status",
		"--diff-filter=R", "--ignore-submodules=all", r.top.tree, "--")
	words := strings.Split(string(out), "\x00")
	for i := 0; err == nil && i+2 < len(words); i += 3 {
		found[words[i+2]] = words[i+1]
	}
	return found
}
