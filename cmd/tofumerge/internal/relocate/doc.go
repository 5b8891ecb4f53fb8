// Package relocate writes the text that a tool prints about a copy of modules so that it names the
// originals: directories of the copy, and places such as main.tf:12 and "on main.tf line 12".
//
// In goes the text as the tool prints it; out comes, line by line, the same with other names and
// numbers, and all else byte for byte. Very long lines pass as they are. Names with blanks are not found.
package relocate
