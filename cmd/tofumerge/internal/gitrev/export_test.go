package gitrev

// ParseTree reports errors in the text of a tree.
func ParseTree(text []byte) error {
	_, err := parseTree(text, 20)
	return err
}
