package language

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A secretName is the name of an argument whose value must not be shown.
type secretName struct {
	// name is the argument's whole name, or its last part after an underscore if it
	// starts with one: "_token" is oidc_token and access_token.
	name string
	from string // who has such an argument
}

// common are read from the schemas of the backends, the key providers and the
// communicator in the source of OpenTofu 1.12, and from the documentation of the
// providers that are named.
var common = []secretName{
	{"access_key", "backends azurerm, oss and s3, key provider aws_kms; providers alicloud, aws"},
	{"api_key", "providers cloudflare, datadog, fastly, newrelic"},
	{"_api_key", "provider ibm (ibmcloud_api_key)"},
	{"api_user_service_key", "provider cloudflare"},
	{"apikey", "provider ns1"},
	{"app_key", "provider datadog"},
	{"auth", "provider grafana"},
	{"client_certificate", "backend azurerm, key provider azure_vault; provider azurerm: a bundle with its key"},
	{"client_key", "backend kubernetes; providers helm, kubernetes"},
	{"client_private_key_pem", "backend http"},
	{"client_secret", "backend azurerm, key provider azure_vault; providers auth0, azurerm"},
	{"conn_str", "backend pg"},
	{"credentials", "backend gcs, key provider gcp_kms; provider google"},
	{"customer_provided_key", "backend azurerm"},
	{"encryption_key", "backend gcs"},
	{"http_auth", "backend consul; providers consul, nomad"},
	{"jwt", "provider vault"},
	{"key_material", "backend manta, provider triton"},
	{"passphrase", "key provider pbkdf2"},
	{"_passphrase", "provider snowflake (private_key_passphrase)"},
	{"password", "backends http and kubernetes, connection; providers mysql, postgresql, vsphere"},
	{"_password", "backend azurerm, connection; provider oci (private_key_password)"},
	{"pem_file", "provider github: the text of the key"},
	{"private_key", "connection; providers mongodbatlas, oci, snowflake"},
	{"_private_key", "connection"},
	{"sas_token", "backend azurerm"},
	{"secret", "provider exoscale"},
	{"_secret", "providers databricks (azure_client_secret), openstack, proxmox"},
	{"secret_id", "backend cos; providers nomad, tencentcloud, vault"},
	{"secret_key", "backends cos, oss and s3, key provider aws_kms; providers aws, scaleway"},
	{"_secret_key", "provider digitalocean (spaces_secret_key)"},
	{"shared_key", "what storage accounts call their access key"},
	{"sse_customer_key", "backend s3"},
	{"token", "backends kubernetes, remote and s3, cloud, key provider openbao; providers aws, github, vault"},
	{"_token", "backends azurerm, consul, cos, gcs, oss and s3; providers azurerm, cloudflare, google"},
}

// ofEncryption are the key materials of state encryption itself.
var ofEncryption = []secretName{
	{"key", "key provider static"},
	{"keys", "methods aes_gcm and external"},
}

// CredentialNames are the names of arguments in an open body, and in its blocks, whose values must not be
// shown.
type CredentialNames [][]secretName

// The names for two sorts of bodies: ordinary ones, and encryption, in which key is a credential as
// well.
var (
	CommonCredentials = CredentialNames{common}
	OfEncryption      = CredentialNames{common, ofEncryption}
)

// Has reports whether arguments of that name hold credentials. A listed name that starts with an underscore stands
// for all names that end with it: _token for oidc_token.
func (list CredentialNames) Has(name string) bool {
	for _, part := range list {
		for _, s := range part {
			isSuffix := s.name[0] == '_'
			if name == s.name || isSuffix && strings.HasSuffix(name, s.name) {
				return true
			}
		}
	}
	return false
}

// AreIn reports whether a text contains the name of a credential as a word.
func (list CredentialNames) AreIn(text []byte) bool {
	isBetweenWords := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for word := range bytes.FieldsFuncSeq(text, isBetweenWords) {
		if list.Has(string(word)) {
			return true
		}
	}
	return false
}

// AreInObject reports whether a value contains an object constructor and the name of a credential. An escape sequence
// can spell any name, so it counts as one.
func (list CredentialNames) AreInObject(text []byte) bool {
	return bytes.Contains(text, []byte("{")) && (bytes.Contains(text, []byte(`\u`)) || list.AreIn(text))
}

// Hide reports whether an argument must not be shown, because of its own name or one in an object in its value. A
// mere reference is never secret: its text doesn't contain the value.
func (list CredentialNames) Hide(a *source.Attr) bool {
	return list != nil && list.hideValue(a.Name, a.File.Text(a.Value()))
}

// hideValue reports whether an argument with this name and value must not be shown, because its name or one in an
// object in its value is that of a credential. A mere reference may be shown: its text doesn't contain the value.
func (list CredentialNames) hideValue(name string, text []byte) bool {
	return (list.Has(name) || list.AreInObject(text)) && !IsBareReference(text)
}

var references = lazyregexp.New(`^(null|[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_*][A-Za-z0-9_-]*|\[[0-9*]{1,4}\])+)$`)

// IsBareReference reports whether the text of an expression is a reference or null, which reveals no value. A word
// without a dot doesn't count: it may be a secret whose quotes were forgotten.
func IsBareReference(text []byte) bool { return references().Match(text) }
