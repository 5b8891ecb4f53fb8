// Package effect has the words for what an override does. Each has one meaning:
//
//   - a Kind of effect is what an item does to the name that it addresses, when its file is applied;
//   - a Status is what became of the item once all files are applied;
//   - a Verb is what a list of override files shows of both;
//   - a Mark is the kind of a comment about it, which has a colour.
//
// The tables are data, and the table of words in ARCHITECTURE.md is made from them. A step of a
// history records a kind, an outcome the kind and the status of one item. The package knows no
// item: which effect one has is decided in package merge.
package effect
