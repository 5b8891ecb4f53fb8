package gitrev

import "testing"

func TestRefName(t *testing.T) {
	for rev, want := range map[string]string{
		"main": "main", "main~2": "main", "v1^{commit}": "v1", "main@{1}": "main", "@{u}": "", ":/text": "", "a@b": "a@b", "": "",
	} {
		if got := refName(rev); got != want {
			t.Errorf("%s begins with %q, want %q", rev, got, want)
		}
	}
}

func TestShortName(t *testing.T) {
	for full, want := range map[string]string{
		"refs/heads/a/b": "a/b", "refs/remotes/origin/main": "origin/main", "refs/tags/v1": "v1", "refs/stash": "stash", "refs/": "refs/", "main": "main",
	} {
		if got := ShortName(full); got != want {
			t.Errorf("%s is %q, want %q", full, got, want)
		}
	}
}
