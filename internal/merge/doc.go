// Package merge combines the files of a loaded module into the effective configuration: the one an
// engine works with after it applied the override files to the primary files.
//
// Every name in the result keeps its history, the ordered list of the effects of each source item
// on it, with the rule. The effective value is the item that the history leaves in effect. Merging
// copies no text and lays out nothing; if no file contains the effective value, the history holds a
// Literal from which it can be written.
//
// Files takes a module as load read it, and returns a Module and diagnostics. A merged module does
// not change any more, so several goroutines may read it.
//
// The effect of an item of an override file is a row of the table in package rules. The code in
// merge.go names no block of the language and no release. Checks that a table can't express are
// functions in checks.go or, for a variable's type and default, package variable.
//
// The package refuses everything that the engine refuses while it loads: an override of an object
// that does not exist or that can't be overridden, and duplicate declarations. It does not evaluate
// expressions with references.
//
// Packages below read the result: address finds items by name, and check judges it.
package merge
