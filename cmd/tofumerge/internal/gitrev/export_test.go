package gitrev

// Starts is how often git was asked anew about attributes.
func (r *Revision) Starts() int { return r.attributes[""].starts }
