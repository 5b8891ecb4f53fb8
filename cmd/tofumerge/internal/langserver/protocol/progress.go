package protocol

// A ProgressToken names a progress that the server wants to show.
type ProgressToken struct {
	Token string `json:"token"`
}

// ProgressParams are a step of a progress.
type ProgressParams struct {
	Token string           `json:"token"`
	Value WorkDoneProgress `json:"value"`
}

// WorkDoneProgress says that something begins or ends that may take long.
type WorkDoneProgress struct {
	Kind  string `json:"kind"` // begin or end
	Title string `json:"title,omitempty"`
}
