package gitrev

// Starts is how often git was asked anew about attributes.
func (r *Revision) Starts() int { return r.attributes[""].starts }

// ParseTree reports what is wrong with the text of a tree.
func ParseTree(text []byte) error {
	_, err := parseTree(text, 20)
	return err
}
