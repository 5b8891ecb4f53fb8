// Package plan arranges the output, without any text.
//
// From a merged module it derives the primary files with the top-level blocks in them that
// overrides change or add (Arrange), the treatment of each item of a block (ActionsIn, Additions),
// the resulting contents of a block in the order in which they are printed (Members), and the
// selected blocks (Select). The module decides which items are effective; packages native and
// jsonout decide how they are written.
package plan
