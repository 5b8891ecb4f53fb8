package check

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/zclconf/go-cty/cty"
)

// mergeVersionDiagnostics leaves only one diagnostic about each module call that sets a version although its source
// isn't from a registry: the engine's refusal. There may also be a warning about a second version, which would take
// effect once the refused one is removed: "Only modules from a registry have versions, … Remove version at a.tf:3,
// b.tf:2. Otherwise, …". Then the refusal gets the detail of the warning, since it names both: "… Remove version from
// this block and at a.tf:3, b.tf:2." That warning is dropped, and so are warnings that a refused version has no
// effect.
func mergeVersionDiagnostics(diags hcl.Diagnostics) hcl.Diagnostics {
	// The first pass finds the refusals.
	refusals := map[hcl.Range]*hcl.Diagnostic{} // by the range of the source
	isRefused := map[hcl.Range]bool{}           // by the start of the version
	for _, d := range diags {
		if related, ok := diag.RelatedOf(d); ok && diag.IsError(d) && isAboutVersion(d) {
			refusals[*d.Subject], isRefused[startOf(related.Range)] = d, true
		}
	}
	if len(refusals) == 0 {
		return diags
	}
	// The second pass finds the warnings to drop.
	secondVersion := map[*hcl.Diagnostic]*hcl.Diagnostic{} // by the refusal: the warning about the second version
	isDropped := map[*hcl.Diagnostic]bool{}
	for _, d := range diags {
		switch {
		case d.Subject == nil || diag.IsError(d):
		case isAboutVersion(d) && refusals[*d.Subject] != nil:
			secondVersion[refusals[*d.Subject]], isDropped[d] = d, true
		case diag.CodeOf(d) == diag.NoEffect && isRefused[startOf(*d.Subject)]:
			isDropped[d] = true
		}
	}
	// The third pass copies the others, and gives refusals the detail of the warning about a second version.
	var list hcl.Diagnostics
	for _, d := range diags {
		if isDropped[d] {
			continue
		}
		if second := secondVersion[d]; second != nil {
			refusal := *d
			detail, _, _ := strings.Cut(second.Detail, " Otherwise, ") // "Otherwise, installing modules fails." is moot
			refusal.Detail = strings.Replace(detail, "Remove version at ", "Remove version from this block and at ", 1)
			d = &refusal
		}
		list = append(list, d)
	}
	return list
}

// isAboutVersion reports whether a diagnostic, an error or a warning, is about a version beside a source outside
// registries: only modules from a registry have versions.
func isAboutVersion(d *hcl.Diagnostic) bool {
	return d.Subject != nil && diag.CodeOf(d) == diag.NoRegistrySource
}

// startOf returns a range reduced to its start, so that ranges of different length compare equal.
func startOf(r hcl.Range) hcl.Range {
	return hcl.Range{Filename: r.Filename, Start: r.Start}
}

// judgeVersion judges the version of a module call if an override sets the source or the version. It finds two
// mistakes that the engine accepts while loading: the source is a path, but not a constant one, so init fails
// later; or it's another module of a registry, for which the version wasn't chosen.
func (f *findings) judgeVersion(e *merge.MergedItem) {
	if !language.HasModuleSource(f.m.Source.Engine, e.Path) || e.Inner() == nil {
		return
	}
	src, version := e.Inner().Item(merge.Key{Name: "source"}), e.Inner().Item(merge.Key{Name: "version"})
	if src == nil || version == nil || src.Attr() == nil || version.Attr() == nil || f.isRefused(src.Attr()) {
		return
	}
	if v, isConstant := constant.Value(version.Attr()); !isConstant || v.IsNull() { // null sets no version
		return
	}
	addr, isConstant := constant.String(src.Attr())
	switch {
	case isConstant && judge.IsRegistrySource(addr):
		f.addOtherModule(src, version.Attr(), addr)
	case !isConstant && f.isPath(src.Attr().Expr()):
		f.addPathWithVersion(src.Attr(), version.Attr())
	}
}

// addPathWithVersion adds a finding about a version beside a source, to, that is a local path, if an override
// sets either.
func (f *findings) addPathWithVersion(to, version *source.Attr) {
	by, subject := to, "This source"
	if !source.IsOverride(to) {
		by, subject = version, "The source at "+placeFrom(version, to)
	}
	if !source.IsOverride(by) {
		return
	}
	x := f.add(moduleVersionWithLocalSource, by, "%s is a local path, and only modules from a registry have versions, so init fails. "+
		"Remove version at %s, or set version = null in the override if the release allows that.", subject, placeFrom(by, version))
	x.Related = &diag.Related{Note: "version set here", Range: source.Where(version)}
}

// addOtherModule adds a finding if an override changes the source to another module, and leaves the version
// that the primary file chose for the earlier one. src is the merged source argument, and addr its value. The finding
// is of the rule for all versions that don't fit the source.
func (f *findings) addOtherModule(src *merge.MergedItem, version *source.Attr, addr string) {
	winner := src.Attr()
	if !source.IsOverride(winner) || source.IsOverride(version) {
		return
	}
	for _, it := range src.Losers(winner) {
		a, _ := it.(*source.Attr)
		was, isConstant := constant.String(a)
		isOther := isConstant && judge.IsRegistrySource(was) && packageOf(was) != packageOf(addr)
		if source.IsOverride(a) || !isOther { // the version was chosen for the source of the primary file
			continue
		}
		x := f.add(moduleVersionWithLocalSource, winner, "This is another module than at %s, and version at %s was chosen for that one. Set version here, too.",
			placeFrom(winner, a), placeFrom(winner, version))
		x.Summary = "Version of another module."
		x.Related = &diag.Related{Note: "version set here", Range: source.Where(version)}
	}
}

// packageOf returns a registry address without the directory inside the package: it cuts "//" and what
// follows.
func packageOf(addr string) string {
	addr, _, _ = strings.Cut(addr, "//")
	return addr
}

// isPath reports whether an expression certainly makes a path from the module's directory, also if it refers to a
// local value that does. Results are kept in f.paths, since very many calls may refer to one local value, or to a
// long chain of them.
func (f *findings) isPath(e hcl.Expression) bool {
	var chain []string // the local values on the way, all with the same result
	isPath, local := pathOrLocal(e)
	for local != "" {
		if known, isKnown := f.paths[local]; isKnown {
			isPath = known
			break
		}
		value := f.m.Source.Local(local)
		if value == nil { // no such local value, so no path: pathOrLocal has returned false
			break
		}
		f.paths[local] = false // the result if the local value refers to itself
		chain = append(chain, local)
		isPath, local = pathOrLocal(value.Expr())
	}
	for _, name := range chain {
		f.paths[name] = isPath
	}
	return isPath
}

// pathOrLocal reports whether an expression makes a path, judged by its first part, such as "./" or
// path.module followed by "/". If that part is a local value, as in "${local.dir}/x", isPath is false and local is
// its name; otherwise local is "".
func pathOrLocal(e hcl.Expression) (isPath bool, local string) {
	switch e := constant.Bare(e, false /* stripQuotes */).(type) {
	case *hclsyntax.TemplateExpr:
		if t, ok := e.Parts[0].(*hclsyntax.ScopeTraversalExpr); ok && len(e.Parts) > 1 {
			if name, _ := parts.TraversalText(t.Traversal); name == "path.module" {
				return strings.HasPrefix(literal(e.Parts[1]), "/"), ""
			}
		}
		if judge.IsLocalSource(literal(e.Parts[0])) {
			return true, ""
		}
		return pathOrLocal(e.Parts[0]) // it may be ${local.dir}
	case *hclsyntax.ScopeTraversalExpr:
		if names := parts.Locals(e); len(names) > 0 { // one at most
			return false, names[0]
		}
	}
	return false, ""
}

// literal returns the text of a literal part of a template, or "" for any other expression.
func literal(e hcl.Expression) string {
	if l, ok := e.(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.String {
		return l.Val.AsString()
	}
	return ""
}
