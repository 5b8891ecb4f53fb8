package protocol

// A ProgressToken names an operation whose progress the server wants to show.
type ProgressToken struct {
	Token string `json:"token"`
}

// ProgressParams report the progress of an operation.
type ProgressParams struct {
	Token string           `json:"token"`
	Value WorkDoneProgress `json:"value"`
}

// WorkDoneProgress reports the beginning or the end of an operation that may take long.
type WorkDoneProgress struct {
	Kind  string `json:"kind"` // begin or end
	Title string `json:"title,omitempty"`
}

// PartialResultParams hold a part of the answer to a request.
type PartialResultParams struct {
	Token any `json:"token"` // a number or a string, from the request
	Value any `json:"value"`
}
