package report

import (
	"encoding/json"
	"slices"
	"testing"
)

// gitlabPlaces reads issues as GitLab does, which shows none of the same fingerprint twice.
func gitlabPlaces(t testing.TB, text string) []reading {
	var issues []struct {
		CheckName   string `json:"check_name"`
		Fingerprint string
		Severity    string
		Location    struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal([]byte(text), &issues); err != nil || issues == nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var list []reading
	known := map[string]bool{}
	for _, issue := range issues {
		isSeverity := slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, issue.Severity)
		if known[issue.Fingerprint] || !isSeverity || issue.Location.Lines.Begin < 1 {
			t.Errorf("%+v", issue)
		}
		known[issue.Fingerprint] = true
		list = append(list, reading{issue.CheckName, issue.Location.Path, issue.Location.Lines.Begin})
	}
	return list
}
