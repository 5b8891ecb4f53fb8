// Package limits refuses text that would take a parser or an evaluation out of
// proportion: brackets and operators that nest too deep, numbers of too many digits,
// constants and conversions whose work multiplies.
//
// In go bytes, before any parser has seen them, and expressions and values, before they
// are evaluated or converted; out come diagnostics, or the result of the work that was
// found to be in proportion. A parser that gets 2,001 brackets recurses as often;
// an expression such as
//
//	[for a in range(1000) : [for b in range(1000) : range(1000)]]
//
// is a line of text and work without end. The package knows nothing of the language of
// the configuration.
package limits
