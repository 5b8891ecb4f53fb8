// Package source holds what a file says as items: arguments and blocks, each a range
// of the file's bytes, with the comments around it.
//
// In go the parser's tree of native text, or piece by piece what another syntax is
// translated to; both are turned into items by one Builder. Out come items that can
// be asked for their places and texts. A file keeps no tree of a block that nobody
// needs: a stub says where the block is, and the tree is built again on demand.
//
// Nothing is copied, formatted or evaluated, and no item is judged. Reading is safe
// for several goroutines; building is not.
package source
