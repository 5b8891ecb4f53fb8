package merge

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/early"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Values that an engine computes before anything else, such as the source of a module: refusals
// there depend on variables and local values, so they are judged once all files are merged.

// What values are made of.
const (
	variableType, variablePath = "variable", "variable/"
	localsType, localsPath     = "locals", "locals/"
)

// An earlyJudge knows the variables and the local values of a module.
type earlyJudge struct {
	mod    *Module
	flags  map[string]map[string]*source.Attr // arguments in effect of variables, by name
	at     map[string]source.Item             // where variables are declared
	locals map[string]*source.Attr
	uses   []earlyUse
}

// An earlyUse is an argument that is computed early.
type earlyUse struct {
	path string
	attr *source.Attr
}

// checkEarly reports values that the engine refuses to compute early.
func (m *Module) checkEarly() hcl.Diagnostics {
	rows := early.In(m.Source.Engine)
	if len(rows) == 0 {
		return nil
	}
	if rows = m.mentioned(rows); len(rows) == 0 {
		return nil
	}
	j := m.earlyJudge(rows)
	flows := map[*early.Row]*earlyFlow{}
	for _, r := range rows {
		flows[r] = &earlyFlow{earlyJudge: j, row: r, known: map[string]localUse{}}
	}
	var diags hcl.Diagnostics
	for _, u := range j.uses {
		if _, isPlain := u.attr.PlainText(); isPlain {
			continue
		}
		isJudged, isCut := false, false
		for _, r := range rows {
			if !r.Has(u.path) {
				continue
			}
			if d := flows[r].judge(u); d != nil {
				diags = append(diags, d)
				isJudged = true
				break
			}
			isCut = isCut || flows[r].isCut
		}
		if isCut && !isJudged {
			diags = append(diags, notFollowed(u))
		}
	}
	return diags
}

// mentioned returns the rows whose flags appear in the module's text. Hardly any module contains
// const.
func (m *Module) mentioned(rows []*early.Row) []*early.Row {
	texts := map[string][][]byte{variableType: nil, localsType: nil} // of top-level blocks, by type
	for _, r := range rows {
		for _, typ := range r.Tops() {
			texts[typ] = nil
		}
	}
	for _, f := range m.Source.Files {
		for i := range f.Len() {
			if list, isWanted := texts[string(f.TypeOf(i))]; isWanted {
				texts[string(f.TypeOf(i))] = append(list, f.TextOf(i))
			}
		}
	}
	return slices.DeleteFunc(rows, func(r *early.Row) bool {
		types := []string{variableType}
		switch r.How {
		case early.Unflagged:
			return false
		case early.Called:
			types = append(r.Tops(), localsType)
		}
		return !slices.ContainsFunc(types, func(typ string) bool {
			return slices.ContainsFunc(texts[typ], func(text []byte) bool { return bytes.Contains(text, []byte(r.Flag)) })
		})
	})
}

// earlyJudge gathers what rows are about.
func (m *Module) earlyJudge(rows []*early.Row) *earlyJudge {
	j := &earlyJudge{mod: m, flags: map[string]map[string]*source.Attr{}, at: map[string]source.Item{}, locals: map[string]*source.Attr{}}
	tops := []string{variableType, localsType}
	for _, r := range rows {
		tops = append(tops, r.Tops()...)
	}
	add := func(e *MergedItem) {
		if e.InEffect() && slices.Contains(tops, e.Path) {
			j.declare(e)
			eachEffective(e, e.Path, func(path string, a *source.Attr) { j.take(e, path, a, rows) })
		}
	}
	for _, e := range m.Root.All() {
		add(e)
	}
	m.EachAlone(func(f *source.File, i int) {
		if slices.Contains(tops, string(f.TypeOf(i))) {
			b := f.Block(i)
			key, _ := m.Root.key(b, false)
			add(m.Root.defined(key, b)) // nothing of it is kept
		}
	})
	return j
}

// declare notes where a variable is declared.
func (j *earlyJudge) declare(e *MergedItem) {
	if e.Path == variableType {
		j.at[e.Key.ID] = e.Live[0]
		j.flags[e.Key.ID] = map[string]*source.Attr{}
	}
}

// take notes an argument in effect.
func (j *earlyJudge) take(e *MergedItem, path string, a *source.Attr, rows []*early.Row) {
	switch {
	case strings.HasPrefix(path, variablePath):
		j.flags[e.Key.ID][strings.TrimPrefix(path, variablePath)] = a
	case strings.HasPrefix(path, localsPath):
		j.locals[a.Name] = a
	case slices.ContainsFunc(rows, func(r *early.Row) bool { return r.Has(path) }):
		j.uses = append(j.uses, earlyUse{path, a})
	}
}

// eachEffective visits the arguments in effect in an item, with their paths.
func eachEffective(e *MergedItem, path string, visit func(path string, a *source.Attr)) {
	if e.Inner() == nil {
		for _, it := range e.Live {
			eachWritten(it, path, visit)
		}
		return
	}
	for _, inner := range e.Inner().All() {
		if inner.InEffect() && !inner.Escaped { // an escaped name is the provider's or the called module's
			eachEffective(inner, path+"/"+inner.Key.Name, visit)
		}
	}
}

// eachWritten visits the arguments of an item as it is written.
func eachWritten(it source.Item, path string, visit func(path string, a *source.Attr)) {
	switch it := it.(type) {
	case *source.Attr:
		visit(path, it)
	case *source.Block:
		for _, inner := range it.Items() {
			eachWritten(inner, path+"/"+inner.Called(), visit)
		}
	}
}

// A refusal is the variable, or the function, for which a row refuses a use.
type refusal struct {
	name string
	at   source.Item // the item that decides; nil for a function
}

// judge reports the row's refusal of an argument; nil if there is none.
func (f *earlyFlow) judge(u earlyUse) *hcl.Diagnostic {
	var found *refusal
	f.isCut = false
	if f.row.How == early.Referenced {
		found = f.referenced(u.attr.Expr())
	} else {
		found = f.derived(u.attr.Expr(), f.row.IsDeep())
	}
	if found == nil {
		return nil
	}
	return earlyDiagnostic(u, f.row, found)
}

// refuses returns a variable that the row refuses.
func (f *earlyFlow) refuses(name string) *refusal {
	flags, isDeclared := f.flags[name]
	flag := flags[f.row.Flag]
	switch {
	case !isDeclared:
		return nil
	case f.row.How == early.Unflagged && !constant.IsOn(flag):
		return &refusal{name, f.at[name]}
	case f.row.How == early.Derived && constant.IsOn(flag), f.row.How == early.Referenced && flag != nil && !constant.IsOn(flag):
		return &refusal{name, flag}
	}
	return nil
}

// earlyDiagnostic words a refusal. If only init refuses the value, it is a warning: other commands
// accept the module.
func earlyDiagnostic(u earlyUse, r *early.Row, found *refusal) *hcl.Diagnostic {
	when := "when it loads the module"
	if r.AtInit {
		when = "on init"
	}
	title, name := u.attr.File.Engine.Product.Title(), diag.Escape(found.name)
	at, note := u.attr.Value(), r.Flag+" set here"
	if found.at == nil {
		d := diag.New(at, r.Summary, "%s computes %s %s and refuses values that depend on %s. Use another value.", title, u.attr.Name, when, name)
		return atInit(r, d)
	}
	place := diag.Place(source.Where(found.at))
	var d *hcl.Diagnostic
	switch r.How {
	case early.Derived:
		d = diag.New(at, r.Summary, "%s computes %s %s and refuses values that depend on var.%s, which is %s. Use another value, or remove %s at %s.",
			title, u.attr.Name, when, name, r.Flag, r.Flag, place)
	case early.Referenced:
		d = diag.New(at, r.Summary, "%s computes %s %s and refuses var.%s there, which has %s = false. Use another value, or remove %s at %s.",
			title, u.attr.Name, when, name, r.Flag, r.Flag, place)
	case early.Unflagged:
		note = "declared here"
		d = diag.New(at, r.Summary, "%s computes %s %s from constant variables only. Set %s = true in var.%s at %s.",
			title, u.attr.Name, when, r.Flag, name, place)
	}
	return atInit(r, diag.WithRelated(diag.Related{Note: note, Range: source.Where(found.at)}, d))
}

// atInit turns a diagnostic into a warning if only init refuses the value, and returns it.
func atInit(r *early.Row, d *hcl.Diagnostic) *hcl.Diagnostic {
	if r.AtInit {
		d.Severity = hcl.DiagWarning
		d = diag.WithCode(diag.InitRefuses, d)
	}
	return d
}

// notFollowed warns that nobody looked at all that a value is made of.
func notFollowed(u earlyUse) *hcl.Diagnostic {
	d := diag.New(u.attr.Value(), "Too many local values", "%s computes %s early and refuses some variables there. This value depends on a chain of more than %d local values, which tofumerge doesn't follow to its end, so it may contain a refused variable. Shorten the chain.",
		u.attr.File.Engine.Product.Title(), u.attr.Name, maxEarlyDepth)
	d.Severity = hcl.DiagWarning
	return d
}
