package writeback

// SetSymlink sets what makes links, and returns what made them.
func SetSymlink(with func(from, to string) error) func(from, to string) error {
	was := symlink
	symlink = with
	return was
}
