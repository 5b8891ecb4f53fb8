// Package secrets finds the values of a module that must not be shown: values that the
// configuration marks sensitive or ephemeral, and credentials, which are found by the names of
// arguments.
//
// It returns the stretches of the module's files to withhold. A file that can't be parsed is
// withheld as a whole if it may contain such a value.
package secrets
