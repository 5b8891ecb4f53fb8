// Package wording holds words for people about items, places and values: FILE:LINE,
// a value or what it is if it is long, how many, and why something has no effect.
//
// Out come phrases, which others put into sentences, tables and marks. A Teller tells
// no value that is sensitive, and with Redact none that is not in effect. Nothing is
// laid out or coloured here.
package wording
