// Package discover finds the directories that a command works on.
//
// From the arguments of a command and a Search, which holds its flags, it derives Subjects: each a
// directory, named or found below a named one, and how many directories were skipped, and why. It
// recognises directories with configuration by the names of their files alone, and reads nothing
// but .gitignore files and, where those name directories, the index of their repository, through
// git.
//
// Of .gitignore files only the patterns count, not tracked files nor the user's own settings.
// Matching takes time in proportion to the pattern times the path, whatever the pattern is.
//
// The searched tree may come from a stranger. A .gitignore file takes no directory with tracked
// files out of a search. If git can't list the tracked files, none takes any out, and the search
// reports it. Links to directories are not followed, and a search that would leave out a directory
// because it is too deep is an error.
package discover
