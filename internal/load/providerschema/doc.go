// Package providerschema reads what providers publish of their blocks: which names are arguments and
// which are nested blocks.
//
// In goes the output of "tofu providers schema -json". Out comes the use of a name in the body of a
// block. Providers that contradict each other decide nothing. A file of another form is refused with
// the command that makes one.
package providerschema
