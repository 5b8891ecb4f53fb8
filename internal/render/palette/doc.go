// Package palette holds the colours of text for people, among them one for each kind of mark.
//
// Nothing else in the program knows a colour. The caller decides whether there are any when making
// a palette: the package does not look at terminals or the environment.
package palette
