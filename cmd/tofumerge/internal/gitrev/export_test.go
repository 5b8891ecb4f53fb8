package gitrev

// Starts is how often git was restarted for attributes.
func (r *Revision) Starts() int { return r.attributes[""].starts }

// ParseTree reports errors in the text of a tree.
func ParseTree(text []byte) error {
	_, err := parseTree(text, 20)
	return err
}
