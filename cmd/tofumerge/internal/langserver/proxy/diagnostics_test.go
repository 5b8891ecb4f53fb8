package proxy

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// required is a diagnostic of terraform-ls.
func required(line int, name string) string {
	return fmt.Sprintf(`{"range":{"start":{"line":%d,"character":3},"end":{"line":9,"character":1}},"severity":1,"source":"Terraform",`+
		`"message":"Required attribute \"%s\" not specified: An attribute named \"%s\" is required here"}`, line, name, name)
}

const (
	overrideURI = "file:///m/a_override.tf"
	other       = `{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"source":"Terraform","message":"Missing required argument: x"}`
	own         = `{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"source":"tofumerge","message":"own"}`
)

func publishing(list ...string) string {
	return `{"uri":"` + overrideURI + `","diagnostics":[` + strings.Join(list, ",") + `]}`
}

// holding is a double of this server in which primary blocks hold the arguments of some names.
func holding(names func() string) *double {
	d := ourDouble(nil)
	d.answers["tofumerge/primary"] = func(m message) *message {
		var p struct{ Items []struct{ Name string } }
		_ = json.Unmarshal(m.Params, &p)
		held := []bool{}
		for _, item := range p.Items {
			held = append(held, strings.Contains(names(), item.Name))
		}
		return &message{Result: encoded(held)}
	}
	return d
}

// The editor gets the diagnostics of both servers, without what this one confirms as false.
func TestPublish(t *testing.T) {
	ours := holding(func() string { return "held" })
	s := join(t, quick, ours, same(nil))
	s.initialize("{}")
	theirs := s.other(0)
	ours.notify(publishMethod, publishing(own))
	s.same(s.editor.method(t, publishMethod).Params, publishing(own))
	theirs.notify(publishMethod, publishing(required(1, "held"), other, required(2, "missing")))
	s.same(s.editor.method(t, publishMethod).Params, publishing(own, other, required(2, "missing")))
	s.same(ours.method(t, "tofumerge/primary").Params, `{"textDocument":{"uri":"`+overrideURI+`"},"items":[
		{"brace":{"line":1,"character":3},"name":"held"},{"brace":{"line":2,"character":3},"name":"missing"}]}`)
	s.logs("1 of 3 diagnostics of other hidden")
	s.same(s.call("1", "workspace/executeCommand", `{"command":"tofumerge.hiddenDiagnostics"}`).Result,
		`{"server":{"name":"terraform-ls","version":"0.39.1"},"known":true,"total":1,"documents":[{"uri":"`+overrideURI+`","diagnostics":[`+required(1, "held")+`]}]}`)
	ours.notify(publishMethod, publishing())
	s.same(s.editor.method(t, publishMethod).Params, publishing(other, required(2, "missing")))
	theirs.notify(publishMethod, publishing())
	s.same(s.editor.method(t, publishMethod).Params, publishing())
	s.same(s.call("2", "workspace/executeCommand", `{"command":"tofumerge.hiddenDiagnostics"}`).Result,
		`{"server":{"name":"terraform-ls","version":"0.39.1"},"known":true,"total":0,"documents":[]}`)
}

// Versions are passed on only if all diagnostics are about them.
func TestPublishVersion(t *testing.T) {
	ours := ourDouble(nil)
	s := join(t, quick, ours, same(nil))
	s.initialize("{}")
	with := func(version int, list ...string) string {
		return strings.Replace(publishing(list...), `"diagnostics"`, fmt.Sprintf(`"version":%d,"diagnostics"`, version), 1)
	}
	for _, x := range []struct {
		from      *double
		sent, got string
	}{
		{ours, with(1, own), with(1, own)},
		{s.other(0), with(1, other), with(1, own, other)},
		{ours, with(2, own), publishing(own, other)},
		{s.other(0), with(2, other), with(2, own, other)},
		{s.other(0), with(3), with(2, own)},
		{ours, with(3), with(3)},
	} {
		x.from.notify(publishMethod, x.sent)
		s.same(s.editor.method(t, publishMethod).Params, x.got)
	}
}

// An edit of another file of the module can make a hidden diagnostic true.
func TestJudgedAgain(t *testing.T) {
	held := make(chan string, 1)
	held <- "held"
	ours := holding(func() string { now := <-held; held <- now; return now })
	s := join(t, quick, ours, same(nil))
	s.initialize("{}")
	s.other(0).notify(publishMethod, publishing(required(1, "held"), other))
	s.same(s.editor.method(t, publishMethod).Params, publishing(other))
	<-held
	held <- "nothing"
	s.editor.notify("textDocument/didChange", `{"textDocument":{"uri":"file:///elsewhere/main.tf","version":2},"contentChanges":[]}`)
	s.editor.none(t, publishMethod)
	s.editor.notify("textDocument/didChange", `{"textDocument":{"uri":"file:///m/main.tf","version":2},"contentChanges":[]}`)
	s.same(s.editor.method(t, publishMethod).Params, publishing(required(1, "held"), other))
	s.editor.notify("textDocument/didChange", `{"textDocument":{"uri":"`+overrideURI+`","version":2},"contentChanges":[]}`)
	<-held
	held <- "held"
	s.editor.notify("textDocument/didChange", `{"textDocument":{"uri":"file:///m/main.tf","version":3},"contentChanges":[]}`)
	s.editor.none(t, publishMethod) // the list is for an earlier text, in which the blocks were on other lines
	s.other(0).notify(publishMethod, publishing(required(2, "held"), other))
	s.same(s.editor.method(t, publishMethod).Params, publishing(other))
	<-held
	held <- "nothing"
	s.editor.notify("workspace/didChangeWatchedFiles", `{"changes":[]}`)
	s.same(s.editor.method(t, publishMethod).Params, publishing(required(2, "held"), other))
}

// Without an answer of this server, or with a later list, nothing wrong is hidden.
func TestNotConfirmed(t *testing.T) {
	impatient := quick
	impatient.judge = 20 * time.Millisecond
	ours := ourDouble(nil)
	ours.answers["tofumerge/primary"] = func(message) *message { return nil }
	s := join(t, impatient, ours, same(nil))
	s.initialize("{}")
	s.other(0).notify(publishMethod, publishing(required(1, "held")))
	s.other(0).notify(publishMethod, publishing(required(2, "held")))
	s.same(s.editor.method(t, publishMethod).Params, publishing(required(2, "held")))
	s.editor.none(t, publishMethod)
}

// Only known messages of known versions are hidden.
func TestFalseFindings(t *testing.T) {
	tooFew := `{"source":"Terraform","message":"Too few blocks specified for \"disk\": At least 2 block(s) are expected for \"disk\""}`
	for _, x := range []struct {
		name, version, diagnostic string
		want                      string
	}{
		{"terraform-ls", "0.39.0", required(1, "a"), "a 0"},
		{"terraform-ls", "0.40.0-dev", required(1, "a"), "a 0"},
		{"terraform-ls", "0.39.0", tooFew, "disk 2"},
		{"tofu-ls", "0.5.1", strings.Replace(required(1, "a"), `"Terraform"`, `"OpenTofu"`, 1), "a 0"},
		{"tofu-ls", "0.5.1", required(1, "a"), ""},
		{"terraform-ls", "0.38.8", required(1, "a"), ""},
		{"terraform-ls", "", required(1, "a"), ""},
		{"another", "9.0.0", required(1, "a"), ""},
		{"terraform-ls", "0.39.0", strings.Replace(required(1, "a"), "required here", "required here!", 1), ""},
		{"terraform-ls", "0.39.0", other, ""},
		{"terraform-ls", "0.39.0", "1", ""},
	} {
		var info = encoded(map[string]string{"name": x.name, "version": x.version})
		var p proxy
		_ = json.Unmarshal(info, &p.info)
		got := ""
		if item, ok := suspected(knownFor(p.info), json.RawMessage(x.diagnostic)); ok {
			got = fmt.Sprint(item.Name, " ", item.Blocks)
		}
		if got != x.want {
			t.Errorf("%s %s: %q, want %q: %s", x.name, x.version, got, x.want, x.diagnostic)
		}
	}
}

// Reports that the editor asks for are filtered and merged like published diagnostics.
func TestPull(t *testing.T) {
	ours := holding(func() string { return "held" })
	ours.answers["initialize"] = func(message) *message {
		return &message{Result: json.RawMessage(`{"capabilities":{"diagnosticProvider":{"identifier":"own","workspaceDiagnostics":true}}}`)}
	}
	for method, result := range map[string]string{
		"textDocument/diagnostic": `{"kind":"full","resultId":"1","items":[` + own + `],"relatedDocuments":{"file:///m/r.tf":{"kind":"full","items":[1]}}}`,
		"workspace/diagnostic":    `{"items":[{"uri":"` + overrideURI + `","version":1,"kind":"full","items":[` + own + `]}]}`,
	} {
		ours.answers[method] = func(message) *message { return &message{Result: json.RawMessage(result)} }
	}
	full := `"kind":"full","items":[` + required(1, "held") + `,` + other + `]`
	s := join(t, quick, ours, func(int) *double {
		return newDouble(map[string]string{
			"initialize":              `{"capabilities":{"diagnosticProvider":{"workspaceDiagnostics":true}},` + theirInfo + `}`,
			"textDocument/diagnostic": `{` + full + `,"relatedDocuments":{"file:///m/r.tf":{"kind":"full","items":[` + required(2, "held") + `,2]},"file:///m/s.tf":{"kind":"full","items":[3]}}}`,
			"workspace/diagnostic":    `{"items":[{"uri":"` + overrideURI + `","version":1,` + full + `},{"uri":"file:///n.tf","version":null,"kind":"unchanged","resultId":"x"}]}`,
		})
	})
	s.initialize("{}")
	s.same(s.call("1", "textDocument/diagnostic", `{"textDocument":{"uri":"`+overrideURI+`"},"previousResultId":"1","partialResultToken":2}`).Result,
		`{"kind":"full","items":[`+own+`,`+other+`],"relatedDocuments":{"file:///m/r.tf":{"kind":"full","items":[1,2]},"file:///m/s.tf":{"kind":"full","items":[3]}}}`)
	s.same(ours.method(t, "textDocument/diagnostic").Params, `{"textDocument":{"uri":"`+overrideURI+`"}}`)
	s.same(s.call("2", "workspace/diagnostic", `{"previousResultIds":[{"uri":"x","value":"1"}]}`).Result,
		`{"items":[{"uri":"`+overrideURI+`","version":1,"kind":"full","items":[`+own+`,`+other+`]},{"uri":"file:///n.tf","version":null,"kind":"unchanged","resultId":"x"}]}`)
	s.same(objectOf(s.call("3", "workspace/executeCommand", `{"command":"tofumerge.hiddenDiagnostics"}`).Result)["total"], `2`)
}
