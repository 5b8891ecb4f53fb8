// Package plan decides what is printed where, without any text.
//
// In goes a merged module. Out come the primary files with the top-level blocks in
// them that overrides change or add (Arrange), what becomes of each item of a block
// (ActionsIn, Additions), what a block holds afterwards in the order in which it is
// printed (Members), and which blocks are selected (Select). What is in effect the
// package asks the module; how anything is written is for the packages native and
// jsonout.
package plan
