// Package address names the contents of a merged module: aws_instance.web.ami, var.region,
// provider.aws.west.
//
// An Address is a path of segments; Parse reads one. A Pattern matches addresses as a whole,
// Patterns segment by segment on the way into blocks.
//
// It visits the items of a merged module with their addresses, in load order (Walk, WalkAll,
// WalkIn). A Target is what an address names: an item of the module, or a part of a block that is
// replaced as a whole; package lookup finds it.
//
// An address may start with a block type that the short form omits, and may number blocks:
// aws_instance.web.provisioner[0]. Parse refuses texts that aren't addresses, such as one with the
// key of an instance; an address that names nothing is not an error. The names of declared items
// come from the table of rules (package merge).
package address
