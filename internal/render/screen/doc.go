// Package screen fits text to terminals and pipes: it measures columns, breaks lines at words,
// shortens texts that may not be broken, and holds the colours, among them one for each kind of mark
// and those of configuration in native syntax and in JSON.
//
// Configuration that can't be parsed is coloured as far as it can be read; colours change none of
// its bytes.
// The caller sets the width of a screen and decides whether there are colours: the package does not
// look at terminals or the environment. Nothing else in the program knows a colour.
package screen
