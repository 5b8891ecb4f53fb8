package language

import (
	"slices"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Some name reaches each row of the table, and each row names its source; no name is taken for a
// secret without reason.
func TestCredentialNames(t *testing.T) {
	for _, part := range OfEncryption {
		for i, s := range part {
			if s.from == "" {
				t.Errorf("%s: who has it?", s.name)
			}
			if i > 0 && part[i-1].name >= s.name && part[i-1].name[0] != '_' && s.name[0] != '_' {
				t.Errorf("%s stands behind %s", s.name, part[i-1].name)
			}
			others := CredentialNames{slices.Delete(slices.Clone(part), i, i+1)}
			if name := "a" + s.name; s.name[0] == '_' && (!OfEncryption.Has(name) || others.Has(name)) {
				t.Errorf("%s: does the row tell?", name)
			}
			if s.name[0] != '_' && !OfEncryption.Has(s.name) {
				t.Errorf("%s is not found", s.name)
			}
		}
	}
	for _, name := range []string{"", "alias", "region", "version", "shared_credentials_files", "token_file", "key", "bucket", "kms_key_id", "kms_encryption_key", "use_oidc", "username", "host_key", "client_id", "secret_suffix", "max_tokens"} {
		if CommonCredentials.Has(name) {
			t.Errorf("%s is taken for a credential", name)
		}
	}
}

func TestIsReference(t *testing.T) {
	for text, want := range map[string]bool{
		"var.token": true, "null": true, "data.vault_x.y.data[0].z": true, "local.list[*].id": true,
		"": false, "hunter2": false, `"x"`: false, `var.x["secret"]`: false, `var.x == "s" ? 1 : 2`: false, "12345678": false, "var.x[12345678]": false, "<<E\nvar.x\nE": false,
	} {
		if got := IsBareReference([]byte(text)); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

// attr is the argument of a name with a value.
func attr(t *testing.T, name, value string) *source.Attr {
	t.Helper()
	src := []byte("b {\n  " + name + " = " + value + "\n}\n")
	parsed, diags := hclsyntax.ParseConfig(src, "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	f := &source.File{Name: "main.tf", Raw: src, Native: src}
	nb := parsed.Body.(*hclsyntax.Body).Blocks[0]
	b, _ := new(source.Builder).For(f).Block(&source.Description{Tree: parse.Outline(nb)}, nil)
	return b.Attr(name)
}

func TestHide(t *testing.T) {
	for _, test := range []struct {
		names       CredentialNames
		name, value string
		want        bool
	}{
		{CommonCredentials, "token", `"hunter2"`, true},
		{CommonCredentials, "token", `var.token`, false},
		{CommonCredentials, "region", `"eu"`, false},
		{CommonCredentials, "config", `{ my_token = "hunter2" }`, true},
		{CommonCredentials, "config", `{ "\u0074oken" = "hunter2" }`, true},
		{CommonCredentials, "config", `{ region = "eu" }`, false},
		{CommonCredentials, "config", `"token"`, false},
		{CommonCredentials, "key", `"hunter2"`, false},
		{OfEncryption, "key", `"hunter2"`, true},
		{nil, "token", `"hunter2"`, false},
	} {
		if got := test.names.Hide(attr(t, test.name, test.value)); got != test.want {
			t.Errorf("%s = %s: %t", test.name, test.value, got)
		}
	}
}
