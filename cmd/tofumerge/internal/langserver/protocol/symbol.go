package protocol

// A SymbolKind decides on the icon of a symbol.
type SymbolKind int

// The kinds that are used.
const (
	SymbolClass    SymbolKind = 5
	SymbolProperty SymbolKind = 7
)

// A DocumentSymbol is an object declared in a document, with nested ones.
type DocumentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           SymbolKind       `json:"kind"`
	Range          Range            `json:"range"`
	SelectionRange Range            `json:"selectionRange"`
	Children       []DocumentSymbol `json:"children,omitempty"`
}
