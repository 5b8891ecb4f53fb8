// Package phrases holds words for people about the changes of a module, the values that variables
// are given, and what a search left out.
//
// Like package wording, on which it builds, it makes phrases, which others put into sentences and
// tables. Nothing is laid out or coloured here.
package phrases
