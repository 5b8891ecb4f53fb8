// Package wording holds words for people about items, locations and values: FILE:LINE, a value or a
// description of a long one, how many, and why something has no effect.
//
// It makes phrases, which others put into sentences, tables and marks. A Redactor hides sensitive
// values, and with Redact all ineffective ones. Nothing is laid out or coloured here.
package wording
