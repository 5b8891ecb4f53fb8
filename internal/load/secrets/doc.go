// Package secrets finds the values of a module that are not to be shown to people:
// those that the configuration calls sensitive or ephemeral, and credentials, which
// are found by the names of arguments.
//
// In go the files of a module; out comes what to withhold, as stretches of the files.
// A file that cannot be understood is withheld as a whole where it may hold one.
package secrets
