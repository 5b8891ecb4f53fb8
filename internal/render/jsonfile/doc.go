// Package jsonfile edits JSON files: it makes the merge's changes to a file and leaves the rest of
// its text alone.
//
//	{"locals": {"a": 1,  "b": 2}}  +  locals { a = 3 }  →  {"locals": {"a": 3,  "b": 2}}
//
// From a JSON file with its plan, it makes edits to the file's text, and warnings of anything that
// JSON can't express. New properties take the layout of their neighbours.
package jsonfile
