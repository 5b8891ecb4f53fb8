// Package merge combines the files of a loaded module into the effective
// configuration: the one an engine works with after it applied the override
// files to the primary files.
//
// Every name in the result keeps its history, the ordered list of what each
// source item did to it and by which rule. The effective value is what the
// history leaves in effect. Merging copies no text and lays out nothing; where
// the effective value is not what any file wrote, the history holds a Literal
// that says how to write it.
//
// Into it goes a module as load read it; out come a Module and diagnostics. A merged
// module does not change any more, so that several goroutines may read it.
//
// What an item of an override file does is a row of one table, Rules, which has a row
// for each of the ways in which releases do it: rules.go, and rulesresource.go for
// resources and their kin. The code in merge.go names no block of the language and no
// release. What a table can't say is a named function in checks.go or, for a
// variable's type and default, package variable.
//
// The package refuses what the engine refuses while it loads: an override of
// something that does not exist or that can't be overridden, and declarations
// that come twice. It does not evaluate expressions that depend on anything.
//
// Packages below read the result: address calls what is in it by name, and check
// judges it.
package merge
