// Package toolcomment carries the comments that tools act on from override blocks to flattened
// files.
//
// It takes a merged module and its files after flattening. A comment directly above an override's
// block or argument, or above the replaced one, is added above the merged one, once; the package
// returns the files and a list of the added comments. A block without a counterpart passes its
// comments to the block around it. The package reads no files, and skips files in JSON syntax,
// which have no comments.
package toolcomment
