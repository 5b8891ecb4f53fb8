// Package spelling says what can be a name, and which names are like another one.
package spelling
