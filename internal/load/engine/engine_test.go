package engine

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"opentofu", "opentofu@1.12.6"}, // a prerelease is used only on request
		{"terraform", "terraform@1.16.2"},
		{"terraform@latest", "terraform@1.16.2"},
		{"terraform@1.16", "terraform@1.16.2"},
		{"opentofu@1.8", "opentofu@1.8.11"},
		{"opentofu@1", "opentofu@1.12.6"},
		{"opentofu@0", "too old"},
		{"opentofu@v1.8.2", "opentofu@1.8.2"},
		{"opentofu@1.13", "opentofu@1.13.0-beta1"},
		{"opentofu@2.0.1", "opentofu@2.0.1"},
		{"terraform@1.4.9", "too old"},
		{"opentofu@1.5.7", "too old"},
		{"opentofu@", "invalid OpenTofu version"},
		{"opentofu@newest", "invalid OpenTofu version"},
		{"tofu", "unknown engine"},
		{"", "unknown engine"},
	} {
		e, err := Parse(test.text)
		switch {
		case err != nil && !strings.Contains(err.Error(), test.want):
			t.Errorf("Parse(%q): %v, want %s", test.text, err, test.want)
		case err == nil && e.String() != test.want:
			t.Errorf("Parse(%q) = %s, want %s", test.text, e, test.want)
		}
	}
}

func TestBaseline(t *testing.T) {
	for _, test := range []struct {
		text, want string
		isNewer    bool
	}{
		{"opentofu@1.8.2", "opentofu@1.8.11", false},
		{"opentofu@1.8.12", "opentofu@1.8.11", true},
		{"opentofu@1.13", "opentofu@1.13.0-beta1", false},
		{"opentofu@1.13.0-alpha1", "opentofu@1.13.0-beta1", false},
		{"opentofu@1.13.0-rc1", "opentofu@1.13.0-beta1", true},
		{"opentofu@1.13.0", "opentofu@1.13.0-beta1", true},
		{"opentofu@1.14", "opentofu@1.13.0-beta1", true},
		{"terraform@2.0", "terraform@1.16.2", true},
		{"terraform@1.16.0-rc2", "terraform@1.16.2", false},
	} {
		e, err := Parse(test.text)
		if err != nil {
			t.Fatal(err)
		}
		if baseline, isNewer := e.Baseline(); baseline.String() != test.want || isNewer != test.isNewer {
			t.Errorf("the baseline of %s is %s, newer: %v; want %s, %v", test.text, baseline, isNewer, test.want, test.isNewer)
		}
	}
}

func TestReleasesString(t *testing.T) {
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

// TestFork adds a product as the package documentation describes: by one row.
func TestFork(t *testing.T) {
	own := products
	t.Cleanup(func() { products = own })
	products = append(slices.Clone(own), productRow{
		name:       "fork",
		title:      "Fork",
		observed:   []Version{"1.11.0", "1.12.1"},
		constraint: func(s Releases) string { return s.OpenTofu },
		tofuFiles:  ">= 1.8",
	})
	e, err := Parse("fork@1.12")
	if err != nil {
		t.Fatal(err)
	}
	if e.String() != "fork@1.12.1" || !e.ReadsTofuFiles() || e.Product.Title() != "Fork" {
		t.Errorf("fork@1.12 is %s", e)
	}
	if !(&Releases{OpenTofu: ">= 1.12"}).Has(e) || (&Releases{Terraform: Every}).Has(e) {
		t.Error("a fork has other constraints than its row says")
	}
	if got, want := (Releases{OpenTofu: ">= 1.12"}).String(), "OpenTofu 1.12 and later, Fork 1.12 and later"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := Parse("spoon"); err == nil || !strings.Contains(err.Error(), "opentofu, terraform or fork") {
		t.Errorf("the products are not listed: %v", err)
	}
}
