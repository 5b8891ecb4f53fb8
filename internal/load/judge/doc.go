// Package judge holds the checks of single arguments and single blocks: everything that a loader
// refuses in them regardless of the rest of the module.
//
// A judge takes an argument, a block, or some arguments of one block, and returns diagnostics. The
// tables of package language assign judges to arguments and blocks. Nothing that depends on another
// object is evaluated. Of a module's source address only the text is judged: nothing is fetched,
// and no directory is read.
package judge
