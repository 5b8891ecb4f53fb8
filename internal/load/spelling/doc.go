// Package spelling decides what can be a name, and finds names that resemble another one.
//
// Given a name and candidates, it returns the candidates that may have been meant, the most similar
// first. Names are compared, never corrected.
package spelling
