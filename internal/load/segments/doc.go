// Package segments writes and reads what leads to a thing, from the outside in: names with dots
// between them, and in brackets numbers and those names that are no identifiers.
//
//	aws_instance.web.tags.Owner
//	aws_instance.web.tags["kubernetes.io/role"]
//	aws_instance.web.provisioner[0]
//
// In go Segments, out comes a text in printable characters, the same for the same segments; Read
// takes it apart again, into the same ones. It also reads other spellings, among them the * and ?
// of patterns, which it marks; what they mean is up to the caller. It refuses text with an empty
// name, and brackets that hold neither a number nor a name.
package segments
