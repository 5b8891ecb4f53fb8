// Package wording holds words for people about items, places and values: FILE:LINE,
// a value or what it is if it is long, how many, and why something has no effect.
//
// Out come phrases, which others put into sentences, tables and marks. A Redactor
// hides sensitive values, and with Redact all that are not in effect. Nothing is
// laid out or coloured here.
package wording
