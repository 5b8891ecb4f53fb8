// Package palette holds the colours of what is written for people.
package palette
