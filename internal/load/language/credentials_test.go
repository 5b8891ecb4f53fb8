package language

import (
	"slices"
	"testing"
)

// Some name reaches each row of the table, and each row names its source; no name is taken for a
// secret without reason.
func TestCredentialNames(t *testing.T) {
	for _, part := range OwnKeys {
		for i, s := range part {
			if s.from == "" {
				t.Errorf("%s: who has it?", s.name)
			}
			if i > 0 && part[i-1].name >= s.name && part[i-1].name[0] != '_' && s.name[0] != '_' {
				t.Errorf("%s stands behind %s", s.name, part[i-1].name)
			}
			others := SecretNames{slices.Delete(slices.Clone(part), i, i+1)}
			if name := "a" + s.name; s.name[0] == '_' && (!OwnKeys.Has(name) || others.Has(name)) {
				t.Errorf("%s: does the row tell?", name)
			}
			if s.name[0] != '_' && !OwnKeys.Has(s.name) {
				t.Errorf("%s is not found", s.name)
			}
		}
	}
	for _, name := range []string{"", "alias", "region", "version", "shared_credentials_files", "token_file", "key", "bucket", "kms_key_id", "kms_encryption_key", "use_oidc", "username", "host_key", "client_id", "secret_suffix", "max_tokens"} {
		if OwnCredentials.Has(name) {
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
