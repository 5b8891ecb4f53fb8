// Package guard refuses text that would take a parser or an evaluation out of
// proportion: brackets and operators that nest too deep, numbers of too many digits,
// constants and conversions whose work multiplies.
//
// In go bytes and expressions, out come diagnostics, before any parser or evaluator
// has seen them. It knows nothing of the language of the configuration.
package guard
