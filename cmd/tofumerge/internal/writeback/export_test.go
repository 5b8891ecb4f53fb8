package writeback

// SetSymlink replaces the function that makes links, and returns the earlier one.
func SetSymlink(with func(from, to string) error) func(from, to string) error {
	was := symlink
	symlink = with
	return was
}

// IsUnchanged is the function that finds files which changed while they were copied.
var IsUnchanged = isUnchanged
