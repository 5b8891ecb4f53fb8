// Package jsonfile edits JSON files: it makes the merge's changes to a file and leaves
// the rest of its text alone.
//
//	{"locals": {"a": 1,  "b": 2}}  +  locals { a = 3 }  →  {"locals": {"a": 3,  "b": 2}}
//
// In goes a JSON file with its plan; out come edits to the text as it was given, and
// warnings of what JSON can't say. New properties take the layout of those beside them.
package jsonfile
