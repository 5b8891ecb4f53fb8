package cli

import (
	"os"
)

// isThere reports whether a directory has a name, even if that is a link that leads
// nowhere.
func isThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
