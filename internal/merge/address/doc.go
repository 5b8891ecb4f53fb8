// Package address names what a merged module holds: aws_instance.web.ami, var.region,
// provider.aws.west.
//
// An Address is a path of segments; Parse reads one. A Pattern matches addresses as a
// whole, Patterns segment by segment on the way into blocks.
//
// Into it goes a merged module; out come the addresses of all that it holds (All), the
// items with their addresses in load order (Walk, WalkAll, WalkIn), and what an address
// names (Find): an item of the module, or something inside a block that is replaced as
// a whole (Target). A Concern reports which diagnostics are about targets.
//
// An address may start with the type of a block where the short one does not, and may
// count blocks: aws_instance.web.provisioner[0]. Parse refuses what is no address, such
// as one with the key of an instance; an address that names nothing is no error. How an
// item is called that a rule of the table declares is up to the table (package merge).
package address
