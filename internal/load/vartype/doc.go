// Package vartype reads the type and the default of one variable block.
//
// In goes a block. Out come the type constraint, the defaults of optional attributes, the
// default converted to the type, and diagnostics of both, as the engines have them. It refuses
// types that take too much work. What several blocks of one variable amount to is for the merge.
package vartype
