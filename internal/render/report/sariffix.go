package report

// The parts of a SARIF log besides results: fixes, and help.

type sarifFix struct {
	Description     sarifText     `json:"description"`
	ArtifactChanges []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	ArtifactLocation struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	DeletedRegion   sarifRegion `json:"deletedRegion"`
	InsertedContent *sarifText  `json:"insertedContent,omitempty"`
}

// sarifFixes is what would fix a finding, unless it writes values: those are in no log.
func sarifFixes(f *FindingRecord) []sarifFix {
	if f.Fix == nil || f.Fix.Quotes {
		return nil
	}
	made := sarifFix{Description: sarifText{f.Fix.Text}}
	for _, e := range f.Fix.Edits {
		uri := uriOf(e.Path, isWindows)
		n := len(made.ArtifactChanges)
		if n == 0 || made.ArtifactChanges[n-1].ArtifactLocation.URI != uri {
			made.ArtifactChanges = append(made.ArtifactChanges, sarifChange{})
			n++
		}
		change := &made.ArtifactChanges[n-1]
		change.ArtifactLocation.URI = uri
		r := sarifReplacement{DeletedRegion: sarifRegion{e.Start.Line, e.Start.Column, e.End.Line, e.End.Column}}
		if e.Text != "" {
			r.InsertedContent = &sarifText{e.Text}
		}
		change.Replacements = append(change.Replacements, r)
	}
	return []sarifFix{made}
}
