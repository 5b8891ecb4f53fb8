package jsonsyntax

import "testing"

// Bodies that hold only arguments, whoever owns them, and the names in them.
func TestHoldsArguments(t *testing.T) {
	for path, want := range map[string]bool{
		"module/m":                          true,
		"terraform/encryption/key_provider": true,
		"terraform/backend/s3":              true,
		"terraform/cloud":                   true,
		"language/compatible_with":          true,
		"terraform/provider_meta":           false,
		"resource/t/connection":             true,
		"resource/t/provisioner/file":       true,
		"resource/t/disk":                   false,
		"resource/connection":               false,
		"data/t/connection":                 false,
		"provider/module":                   false,
	} {
		if holdsArguments(path) != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
}

func TestWellKnown(t *testing.T) {
	for name, want := range map[[2]string][2]bool{ // is a block, is known
		{"terraform/cloud", "workspaces"}:          {true, true},
		{"terraform/backend/remote", "workspaces"}: {true, true},
		{"terraform/backend/s3", "workspaces"}:     {false, true},
		{"resource/terraform_data", "input"}:       {false, true},
		{"data/terraform_remote_state", "config"}:  {false, true},
		{"resource/terraform_remote_state", "a"}:   {false, false},
		{"provider/aws", "default_tags"}:           {true, true},
		{"provider/aws", "timeouts"}:               {true, false},
		{"provider/aws/endpoints", "timeouts"}:     {false, false},
		{"resource/t", "timeouts"}:                 {true, true},
		{"resource/t/disk", "timeouts"}:            {false, false},
		{"resource/t/disk", "tags"}:                {false, true},
		{"resource/t", "disk"}:                     {false, false},
	} {
		found, isKnown := wellKnown(name[0], name[1])
		if isKnown != want[1] || isKnown && found.block != want[0] {
			t.Errorf("%v: block %t, known %t", name, found.block, isKnown)
		}
	}
}
