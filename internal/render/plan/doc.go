// Package plan decides what is printed where, without any text.
package plan
