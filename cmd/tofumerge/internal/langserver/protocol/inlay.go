package protocol

// An InlayHint is text that an editor shows within a line and that isn't part of the document.
type InlayHint struct {
	Position    Position             `json:"position"`
	Label       []InlayHintLabelPart `json:"label"`
	Tooltip     string               `json:"tooltip,omitempty"`
	PaddingLeft bool                 `json:"paddingLeft,omitempty"`
}

// An InlayHintLabelPart is a part of a hint's text. A part with a Location is a link.
type InlayHintLabelPart struct {
	Value    string    `json:"value"`
	Location *Location `json:"location,omitempty"`
}
