// Package tree follows the module calls of a module: to local directories, and to those that "tofu
// init" or "terraform init" installed, from the source in effect.
//
// From the root module and a function that loads others, it returns the modules of the tree, one
// for each path of calls, and warnings about calls that can't be followed. Each directory is loaded
// once. A tree of more modules than is reasonable is refused: a few directories that call each
// other make any number of them.
package tree
