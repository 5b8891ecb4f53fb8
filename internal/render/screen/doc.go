// Package screen fits text to what people read it on: it measures columns, breaks lines at
// words, and shortens what may not be broken.
//
// How wide a screen is, the caller says: the package does not look at terminals or the
// environment.
package screen
