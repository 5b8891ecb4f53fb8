package rules

import "strings"

// Join is the path of a name in the body of a path.
func Join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}

// Parent is the path around a path's last name.
func Parent(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '/'))]
}

// Base is a path's last name.
func Base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// Dotted is a path as people write it.
func Dotted(path string) string { return strings.ReplaceAll(path, "/", ".") }
