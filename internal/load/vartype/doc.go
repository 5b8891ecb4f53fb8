// Package vartype reads the type and the default of one variable block.
//
// Given a block, it returns the type constraint, the defaults of optional attributes, the default
// converted to the type, and the engines' diagnostics about both. It refuses types that take too
// much work. Package merge combines several blocks of one variable.
package vartype
