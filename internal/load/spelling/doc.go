// Package spelling says what can be a name, and which names are like another one.
//
// In go names and candidates; out come answers, and the candidates that may have been
// meant, the most similar first. Names are compared, never corrected.
package spelling
