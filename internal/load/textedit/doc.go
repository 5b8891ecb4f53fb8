// Package textedit replaces stretches of a text, and finds its lines, their ends and their
// indentation.
//
// It returns new bytes and never changes the given ones:
//
//	Apply("a = 1 # one", 0, 11, {Replace(4, 5, "2")})  →  "a = 2 # one"
//
// Inserted text takes the indentation of its surroundings and the line ends of its file (Relocate),
// except for heredocs, whose bytes are values.
package textedit
