// Package discover finds the directories that a command works on.
//
// In go the arguments of a command and a Search, which holds what its flags say; out come
// Subjects: each a directory, named or found below a named one, and how many directories
// were passed over, and why. It says which directories hold configuration by the names of
// their files alone, and reads nothing but .gitignore files and, where those name
// directories, the index of their repository, through git.
//
// What is searched may come from a stranger. A .gitignore file takes no directory with
// tracked files out of a search. Where git can't say what is tracked, none takes any out, and
// the search says so. Links to directories are not followed, and a search that would leave
// out a directory because it is too deep is an error.
package discover
