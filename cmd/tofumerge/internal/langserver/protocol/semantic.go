package protocol

// SemanticTokens are the tokens of a document, five numbers for each: lines and characters
// since the token before it, length, type and modifiers.
type SemanticTokens struct {
	Data []uint32 `json:"data"`
}

// SemanticTokensLegend names the types and modifiers, to which tokens refer by number.
type SemanticTokensLegend struct {
	TokenTypes     []string `json:"tokenTypes"`
	TokenModifiers []string `json:"tokenModifiers"`
}

// SemanticTokensOptions are the server's capabilities for semantic tokens.
type SemanticTokensOptions struct {
	Legend SemanticTokensLegend `json:"legend"`
	Range  bool                 `json:"range"`
	Full   bool                 `json:"full"`
}
