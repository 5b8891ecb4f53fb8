// Package toolcomment carries the comments that tools act on from override blocks to flattened files.
//
// In go a merged module and its files after flattening; out come the files with the comments that stood
// directly above an override's block or argument, or above what it replaced, above the merged one, each
// once, and a list of those that were added. A block that has no counterpart passes its comments to the
// block around it. The package reads no files, and does nothing for files in JSON syntax, which have no
// comments.
package toolcomment
