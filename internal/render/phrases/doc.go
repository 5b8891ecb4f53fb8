// Package phrases holds words for people about what overrides do: the effects of each file, the
// changes of a module, the values that variables are given, differences between two engines'
// readings, and what a search left out.
//
// Like package wording, on which it builds, it makes phrases and data, which others put into
// sentences, tables and records. Nothing is laid out or coloured here.
package phrases
