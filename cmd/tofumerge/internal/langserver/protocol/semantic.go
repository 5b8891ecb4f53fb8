package protocol

// SemanticTokens are the kinds of words of a document, five numbers for each: lines and
// characters from the one before it, length, type and modifiers.
type SemanticTokens struct {
	Data []uint32 `json:"data"`
}

// SemanticTokensLegend names the types and modifiers that tokens have by number.
type SemanticTokensLegend struct {
	TokenTypes     []string `json:"tokenTypes"`
	TokenModifiers []string `json:"tokenModifiers"`
}

// SemanticTokensOptions say what clients can ask for.
type SemanticTokensOptions struct {
	Legend SemanticTokensLegend `json:"legend"`
	Range  bool                 `json:"range"`
	Full   bool                 `json:"full"`
}
