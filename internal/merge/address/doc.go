// Package address is what people call the things in a merged module:
// aws_instance.web.ami, var.region, provider.aws.west.
//
// Into it goes a merged module; out come the addresses of all that it holds (All), the
// items with their addresses in load order (Walk, WalkAll, WalkIn), and what an address
// names (Find), which may be an item of the module or something inside a block that is
// replaced as a whole (Target). A Concern tells which diagnostics are about targets.
//
// An address may start with the type of a block where the short one does not, and may
// count blocks: aws_instance.web.provisioner[0]. Find refuses what is no address, such
// as one with the key of an instance; one that names nothing is no error. How an item
// is called that a rule of the table declares, the table tells (package merge).
package address
