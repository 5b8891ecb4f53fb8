// Package screen fits text to terminals and pipes: it measures columns, breaks lines at words, and
// shortens texts that may not be broken.
//
// The caller sets the width of a screen: the package does not look at terminals or the environment.
package screen
