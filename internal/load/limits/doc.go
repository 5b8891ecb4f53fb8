// Package limits refuses text that would cost a parser or an evaluation disproportionate time or
// memory: brackets and operators that nest too deep, numbers of too many digits, constants and
// conversions whose work multiplies.
//
// It checks text before any parser sees it, and expressions and values before they are evaluated
// or converted. It returns diagnostics, or the result of the work if that is in proportion. A
// parser that gets 2,001 brackets recurses as often; an expression such as
//
//	[for a in range(1000) : [for b in range(1000) : range(1000)]]
//
// is a line of text that takes endless work. The package doesn't know the configuration language.
package limits
