package protocol

// An InlayHint is text that an editor shows between the characters of a document.
type InlayHint struct {
	Position    Position             `json:"position"`
	Label       []InlayHintLabelPart `json:"label"`
	Tooltip     string               `json:"tooltip,omitempty"`
	PaddingLeft bool                 `json:"paddingLeft,omitempty"`
}

// An InlayHintLabelPart is a part of the text, which may lead somewhere.
type InlayHintLabelPart struct {
	Value    string    `json:"value"`
	Location *Location `json:"location,omitempty"`
}
