package deny_test

import (
	"testing"

	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
)

// A pattern is wrong only if the language rules it out, in each release.
func TestJudge(t *testing.T) {
	for text, want := range map[string]string{
		"var.x.defalt":                                    `"var.x.defalt" matches nothing: var.x has no argument or block defalt; did you mean default?`,
		"variable.*.typ":                                  `"variable.*.typ" matches nothing: var.* has no argument or block typ; did you mean type?`,
		"var.x.type.y":                                    `"var.x.type.y" matches nothing: var.x.type is a single value, without keys and elements; write var.x.type`,
		"aws_instance.web.count.x":                        `"aws_instance.web.count.x" matches nothing: aws_instance.web.count is a single value, without keys and elements; write aws_instance.web.count`,
		"aws_*.*.lifecycle.prevent_destory":               `"aws_*.*.lifecycle.prevent_destory" matches nothing: aws_*.*.lifecycle has no argument or block prevent_destory; did you mean prevent_destroy?`,
		"output.x.sensitive.y":                            `"output.x.sensitive.y" matches nothing: output.x.sensitive is a single value, without keys and elements; write output.x.sensitive`,
		"terraform.required_version.x":                    `"terraform.required_version.x" matches nothing: terraform.required_version is a single value, without keys and elements; write terraform.required_version`,
		"check.up.asert":                                  `"check.up.asert" matches nothing: check.up has no argument or block asert; did you mean assert?`,
		"module.net.source.x":                             `"module.net.source.x" matches nothing: module.net.source is a single value, without keys and elements; write module.net.source`,
		"removed[0].to":                                   `"removed[0].to" matches nothing: removed[0] has no argument or block to; it has connection, from, lifecycle, provisioner`,
		"**.Name":                                         "",
		"aws_*.**.Name":                                   "",
		"aws_instance":                                    "",
		"aws_instance.web.tags.Name":                      "",
		`aws_instance.web.tags["a.b"].c[0]`:               "",
		"aws_instance.web.disk[0].size":                   "",
		"aws_instance.web.lifecycle":                      "",
		"aws_*.*.lifecycle.*":                             "",
		"aws_instance.web.provisioner.local-exec.command": "",
		"aws_instance.web.provisioner[0].when":            "",
		"aws_instance.web._.count":                        "",
		"var.x.default.a.b":                               "",
		"var.x.**.y":                                      "",
		"var.x.validation[0].condition":                   "",
		"var":                                             "",
		"varible.x":                                       "",
		"local.a.b":                                       "",
		"locals":                                          "",
		"local.tags.Name":                                 "",
		"terraform.backend.s3.bucket":                     "",
		"terraform.backend.bucket":                        "",
		"terraform.required_providers.aws.source":         "",
		"terraform.encryption.method.aes_gcm.lock.keys":   "",
		"terraform.cloud.workspaces.name":                 "",
		`module.net.providers["aws.west"]`:                "",
		"module.net.aws_vpc.main.cidr":                    "",
		"module.*.version":                                "",
		"provider.aws.west.region":                        "",
		"provider.aws.default_tags.tags.Name":             "",
		"output.x.value.y":                                "",
		"check.up.data.http.site.url":                     "",
		"check.up.assert.condition":                       "",
		"data.aws_ami.x.filter[1].values[0]":              "",
		"data.**":                                         "",
		"import.id":                                       "",
		"moved.from":                                      "",
		"ephemeral.x.y.z":                                 "",
		"action.x.y.config.z":                             "",
		"foo.bar":                                         "",
		"*":                                               "",
		"**":                                              "",
		"*.*.depends_on[0]":                               "",
	} {
		p, err := address.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := deny.CheckPattern(p); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestMeant(t *testing.T) {
	for text, want := range map[string]string{
		"varible.x": "variable", "vra.x": "", "vars.x": "var", "modul.net": "module", "outptu.x": "output", "locls.a": "locals", "dta.x": "data",
		"var.x": "", "module.x": "", "aws_instance.x": "", "random.x": "", "*.x": "", "**": "", "resource.a.b": "", "vpc.x": "", "proivder.aws": "provider",
	} {
		p, err := address.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := deny.SimilarKeyword(p); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
