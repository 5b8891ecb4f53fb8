// Package spelling decides what can be a name, finds names that resemble another one, and writes and
// reads paths to objects.
//
// Given a name and candidates, it returns the candidates that may have been meant, the most similar
// first. Names are compared, never corrected.
//
// A path names an object from the outside in: names with dots between them, and in brackets numbers
// and names that aren't identifiers.
//
//	aws_instance.web.tags.Owner
//	aws_instance.web.tags["kubernetes.io/role"]
//	aws_instance.web.provisioner[0]
//
// Its text has printable characters only, and is the same for the same segments; ReadPath returns
// them. It also reads other spellings, among them the * and ? of patterns, which it marks; the
// caller gives them a meaning. It refuses text with an empty name, and brackets that hold neither a
// number nor a name.
package spelling
