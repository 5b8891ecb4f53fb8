package engine

import (
	"strings"
	"testing"
)

func TestParseEngine(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"opentofu", "opentofu@1.12.6"},
		{"terraform", "terraform@1.15.9"}, // a prerelease is for those who ask for it
		{"terraform@latest", "terraform@1.15.9"},
		{"terraform@1.16", "terraform@1.16.0-rc2"},
		{"opentofu@1.8", "opentofu@1.8.11"},
		{"opentofu@1", "opentofu@1.12.6"},
		{"opentofu@0", "too old"},
		{"opentofu@v1.8.2", "opentofu@1.8.2"},
		{"opentofu@1.13", "opentofu@1.13.0"},
		{"opentofu@2.0.1", "opentofu@2.0.1"},
		{"terraform@1.4.9", "too old"},
		{"opentofu@1.5.7", "too old"},
		{"opentofu@", "no version"},
		{"opentofu@newest", "no version"},
		{"tofu", "no engine"},
		{"", "no engine"},
	} {
		e, err := Parse(test.text)
		switch {
		case err != nil && !strings.Contains(err.Error(), test.want):
			t.Errorf("ParseEngine(%q): %v, want %s", test.text, err, test.want)
		case err == nil && e.String() != test.want:
			t.Errorf("ParseEngine(%q) = %s, want %s", test.text, e, test.want)
		}
	}
}

func TestFollows(t *testing.T) {
	for _, test := range []struct {
		text, want string
		isNewer    bool
	}{
		{"opentofu@1.8.2", "opentofu@1.8.11", false},
		{"opentofu@1.8.12", "opentofu@1.8.11", true},
		{"opentofu@1.13", "opentofu@1.12.6", true},
		{"terraform@2.0", "terraform@1.16.0-rc2", true},
		{"terraform@1.16.0", "terraform@1.16.0-rc2", false},
	} {
		e, err := Parse(test.text)
		if err != nil {
			t.Fatal(err)
		}
		if known, isNewer := e.Follows(); known.String() != test.want || isNewer != test.isNewer {
			t.Errorf("%s follows %s, newer: %v; want %s, %v", test.text, known, isNewer, test.want, test.isNewer)
		}
	}
}

func TestEngines(t *testing.T) {
	for _, test := range []struct {
		set  Releases
		want string
	}{
		{Releases{}, "all releases"},
		{Releases{OpenTofu: ">= 1.12"}, "OpenTofu 1.12 and later"},
		{Releases{OpenTofu: "< 1.12", Terraform: ">= 0"}, "OpenTofu up to 1.11, Terraform"},
		{Releases{OpenTofu: ">= 1.8, < 1.10", Terraform: ">= 1.13, < 1.14"}, "OpenTofu 1.8 to 1.9, Terraform 1.13"},
		{Releases{Terraform: "!= 1.9.8"}, "Terraform up to 1.8 and 1.10 and later"},
		{Releases{OpenTofu: ">= 0", Terraform: ">= 0"}, "all releases"},
	} {
		if got := test.set.String(); got != test.want {
			t.Errorf("%+v is %q, want %q", test.set, got, test.want)
		}
	}
}
