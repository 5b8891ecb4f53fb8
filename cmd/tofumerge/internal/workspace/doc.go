// Package workspace gives commands access to modules: by flags and settings, the engine that is
// followed, the files of the disk, an editor or a revision, and the calls between modules.
//
// From flags and the directories of modules, it makes merged modules with their diagnostics. Doubts
// about the engine are printed here, once, on the console. The package knows no command and writes
// no file.
//
// Calls are followed from the source in effect to local directories, and to those that "tofu init"
// or "terraform init" installed (Loader). Each directory is loaded once. A tree of more modules than
// is reasonable is refused: a few directories that call each other make any number of them.
package workspace
