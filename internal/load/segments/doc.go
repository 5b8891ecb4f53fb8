// Package segments writes and reads paths to objects, from the outside in: names with dots between
// them, and in brackets numbers and names that aren't identifiers.
//
//	aws_instance.web.tags.Owner
//	aws_instance.web.tags["kubernetes.io/role"]
//	aws_instance.web.provisioner[0]
//
// Segments become a text in printable characters, the same for the same segments; Read takes it
// apart again, into the same ones. It also reads other spellings, among them the * and ? of
// patterns, which it marks; the caller gives them a meaning. It refuses text with an empty name,
// and brackets that hold neither a number nor a name.
package segments
