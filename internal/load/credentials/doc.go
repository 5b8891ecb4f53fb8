// Package credentials knows the names of arguments whose values prove who somebody is.
//
// No flag in the configuration marks what providers, backends, key providers and connections take
// to that end; only the names do. The package answers for names and for the text of an object.
// It doesn't know in which blocks the names count: that is in the shapes of package language.
package credentials
