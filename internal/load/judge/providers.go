package judge

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// How blocks name provider configurations, and which providers a module requires.

// ProviderRef judges a reference to a provider configuration, such as aws or aws.west.
func ProviderRef(a *source.Attr) hcl.Diagnostics { return checkProviderRef(a.Expr()) }

// checkProviderRef returns an error unless an expression is a reference to a provider configuration: NAME,
// NAME.ALIAS, or NAME.ALIAS[KEY] with any key.
func checkProviderRef(e hcl.Expression) hcl.Diagnostics {
	most := 3 // steps: NAME, ALIAS and KEY
	at := e.Range()
	// A computed key isn't a step of the reference.
	if index, ok := e.(*hclsyntax.IndexExpr); ok {
		e, most = index.Collection, 2
	}
	ref, _ := hcl.AbsTraversalForExpr(constant.Unquote(e))
	if len(ref) == 0 || len(ref) > most {
		return hcl.Diagnostics{invalidProviderRef(at)}
	}
	if !isProviderName(ref.RootName()) {
		return hcl.Diagnostics{invalidProviderName(ref.RootName(), at)}
	}
	// The second step must be a name, and the third a key.
	_, endsInKey := ref[len(ref)-1].(hcl.TraverseIndex)
	lacksAlias := len(ref) > 1 && stepName(ref[1]) == ""
	if lacksAlias || len(ref) == 3 && !endsInKey {
		return hcl.Diagnostics{invalidProviderRef(at)}
	}
	return nil
}

// RefuseKey reports keys in references to provider configurations, such as aws.west["a"], for releases without
// for_each in provider blocks.
func RefuseKey(a *source.Attr) hcl.Diagnostics {
	return judgeKeys(a, func(e hcl.Expression, isComputed bool) *hcl.Diagnostic {
		return diag.New(e.Range(), "Invalid provider configuration reference",
			"%s does not support provider configurations with several instances (supported by %s). Remove the key in "+
				"brackets.", a.File.Engine.Title(), SinceInstances)
	})
}

// ComputedKeys reports keys of provider configurations that aren't constants, such as aws.west[each.key]. It judges
// JSON, where engines refuse them.
func ComputedKeys(a *source.Attr) hcl.Diagnostics {
	return judgeKeys(a, func(e hcl.Expression, isComputed bool) *hcl.Diagnostic {
		if !isComputed {
			return nil
		}
		return diag.New(e.Range(), "Invalid provider configuration reference",
			"In JSON, %s accepts only a constant key in brackets (any expression: %s).", a.File.Engine.Title(), SinceKeysInJSON)
	})
}

// judgeKeys calls judge for each reference with a key, such as aws.west["a"], and returns the diagnostics. The
// argument is a reference to a provider configuration, or a map of them. isComputed tells judge that the key isn't
// constant.
func judgeKeys(a *source.Attr, judge func(e hcl.Expression, isComputed bool) *hcl.Diagnostic) (diags hcl.Diagnostics) {
	refs := []hcl.Expression{a.Expr()}
	if pairs, diags := hcl.ExprMap(a.Expr()); !diags.HasErrors() {
		refs = nil
		for _, p := range pairs {
			refs = append(refs, p.Key, p.Value)
		}
	}
	for _, e := range refs {
		// A computed key makes an IndexExpr; a constant one is the third step, behind NAME and ALIAS.
		_, isComputed := e.(*hclsyntax.IndexExpr)
		steps, _ := hcl.AbsTraversalForExpr(constant.Unquote(e))
		if !isComputed && len(steps) < 3 {
			continue
		}
		if d := judge(e, isComputed); d != nil {
			diags = append(diags, d)
		}
	}
	return diags
}

// ProviderMap judges the providers argument of a module block, such as { aws = aws.west }: its references, and that
// no key occurs twice.
func ProviderMap(a *source.Attr) hcl.Diagnostics {
	if isPlainProviderMap(a) {
		return nil
	}
	pairs, diags := hcl.ExprMap(a.Expr())
	seen := map[string]hcl.Range{}
	for _, p := range pairs {
		bad := append(checkProviderRef(p.Key), checkProviderRef(p.Value)...)
		diags = append(diags, bad...)
		if len(bad) > 0 {
			continue
		}
		key := traversalText(p.Key)
		if at, ok := seen[key]; ok {
			diags = append(diags, diag.NewWith(diag.Related{Note: "passed here first", Range: at}, p.Key.Range(), "Duplicate provider address",
				"Each provider configuration of the child module can be passed only once. Remove one."))
		}
		seen[key] = p.Key.Range()
	}
	return diags
}

// isPlainProviderMap reports whether a providers argument is surely valid: a few different plain names, each with a
// reference such as aws or aws.east. Most are, and need no parsing. A false result proves nothing.
func isPlainProviderMap(a *source.Attr) bool {
	const few = 8
	text := a.Unparsed()
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	var keys [][]byte
	isPlain := true
	isObject := outline.Elements(text, func(key, value []byte) {
		value, alias, hasAlias := bytes.Cut(value, []byte("."))
		isRepeated := slices.ContainsFunc(keys, func(k []byte) bool { return bytes.Equal(k, key) })
		isPlain = isPlain && len(keys) < few && !isRepeated &&
			isPlainName(key) && isPlainName(value) && (!hasAlias || isPlainName(alias))
		if isPlain {
			keys = append(keys, key)
		}
	})
	return isObject && isPlain
}

// isPlainName reports whether a text is a letter from a to z followed by such letters and digits, and not a keyword.
// Every release accepts that as the name of a provider.
func isPlainName(text []byte) bool {
	switch string(text) {
	case "", "true", "false", "null":
		return false
	}
	for i, c := range text {
		isLetter := c >= 'a' && c <= 'z'
		isDigit := c >= '0' && c <= '9'
		if !isLetter && (!isDigit || i == 0) {
			return false
		}
	}
	return true
}

// traversalText returns a text that is the same for all spellings of a reference, such as aws.west with and without
// quotes.
func traversalText(e hcl.Expression) string {
	ref, _ := hcl.AbsTraversalForExpr(constant.Unquote(e))
	var parts []string
	for _, step := range ref {
		if index, ok := step.(hcl.TraverseIndex); ok {
			parts = append(parts, keyText(index.Key))
		} else {
			parts = append(parts, stepName(step))
		}
	}
	return strings.Join(parts, ".")
}

// keyText returns a text for a key, different for different keys. For a number such as 1e999999999 it doesn't write
// all digits, which would exhaust the memory.
func keyText(v cty.Value) string {
	if v.Type() == cty.Number && limits.IsVast(v) {
		return v.AsBigFloat().Text('p', 0) // mantissa and binary exponent
	}
	return v.GoString()
}

// Requirement judges an entry of required_providers: a version constraint, or an object of source, version and
// configuration_aliases.
func Requirement(a *source.Attr) hcl.Diagnostics {
	v, isConstant := constant.Value(a)
	isShort := isConstant && v.Type().IsPrimitiveType() // only a version: aws = "~> 5.0"
	switch {
	case isShort && isProviderName(strings.ToLower(a.Name)): // in this form, the name may have capitals
		return Constraint(a)
	case isShort || !isProviderName(a.Name):
		return hcl.Diagnostics{invalidProviderName(a.Name, a.Header())}
	}
	pairs, diags := hcl.ExprMap(a.Expr())
	if diags.HasErrors() {
		return hcl.Diagnostics{invalidRequirement(a.Value(),
			"An entry of required_providers must be a string or an object.")}
	}
	for _, p := range pairs {
		diags = append(diags, checkRequirementPair(a, p)...)
	}
	return diags
}

// checkRequirementPair judges one key and its value in an entry of required_providers.
func checkRequirementPair(a *source.Attr, p hcl.KeyValuePair) hcl.Diagnostics {
	key, diags := limits.Evaluate(p.Key)
	if diags.HasErrors() || key.Type() != cty.String || key.IsNull() {
		return hcl.Diagnostics{invalidRequirement(p.Key.Range(),
			"The keys of a provider requirement must be constant strings.")}
	}
	switch key.AsString() {
	case "source", "version":
		v, diags := limits.Evaluate(p.Value)
		if diags.HasErrors() || v.Type() != cty.String || v.IsNull() {
			return hcl.Diagnostics{invalidRequirement(p.Value.Range(), "source and version must be constant strings.")}
		}
		if key.AsString() == "source" {
			return checkProviderSource(v.AsString(), a.File.Engine, p.Value.Range())
		}
		if _, err := version.NewConstraint(v.AsString()); err != nil {
			return hcl.Diagnostics{invalidConstraint(p.Value.Range())}
		}
	case "configuration_aliases":
		return checkAliases(a, p.Value)
	default:
		return hcl.Diagnostics{invalidRequirement(p.Key.Range(),
			"A provider requirement can set only source, version and configuration_aliases.")}
	}
	return nil
}

// checkProviderSource judges a provider's source address: [HOST/][NAMESPACE/]TYPE. The namespace may be a single
// dash, as in addresses from old releases.
func checkProviderSource(source string, e engine.Release, at hcl.Range) hcl.Diagnostics {
	parts := strings.Split(strings.ToLower(source), "/")
	typ := parts[len(parts)-1]
	ok := len(parts) <= 3 && isProviderName(typ)
	if ok && len(parts) == 3 { // HOST/NAMESPACE/TYPE
		host := parts[0]
		ok, parts = hostName().MatchString(host), parts[1:]
	}
	if ok && len(parts) == 2 { // NAMESPACE/TYPE
		namespace := parts[0]
		if sinceUnderscores.Has(e) {
			// Let isProviderName accept underscores, which it otherwise doesn't.
			namespace = strings.ReplaceAll(namespace, "_", "x")
		}
		ok = isProviderName(namespace) || namespace == "-"
	}
	switch {
	case ok && len(parts) == 2 && strings.HasPrefix(typ, "terraform-provider-"): // engines accept it without a namespace
		return hcl.Diagnostics{invalidRequirement(at, "Remove \"terraform-provider-\" from the source.")}
	case !ok:
		return hcl.Diagnostics{invalidRequirement(at, "Write the source of a provider as [HOST/][NAMESPACE/]TYPE.")}
	}
	return nil
}

// checkAliases judges configuration_aliases: each element must be NAME.ALIAS, with the provider's own name. The
// engines accept NAME alone, too, and ignore anything after the alias.
func checkAliases(a *source.Attr, list hcl.Expression) hcl.Diagnostics {
	exprs, diags := hcl.ExprList(list)
	for _, e := range exprs {
		ref, more := hcl.AbsTraversalForExpr(e)
		diags = append(diags, more...)
		if more.HasErrors() {
			continue
		}
		hasKey := len(ref) > 1 && stepName(ref[1]) == "" // NAME["x"], with a key in place of the alias
		if hasKey || ref.RootName() != a.Name {
			diags = append(diags, invalidRequirement(e.Range(), "Write each of configuration_aliases as "+
				diag.Escape(a.Name)+".ALIAS."))
		}
	}
	return diags
}

// Imports reports import blocks of primary files that have the same target. Targets with computed keys may
// differ, so it leaves them out.
func Imports(files []*source.File) (diags hcl.Diagnostics) {
	first := map[string]hcl.Range{}
	for _, f := range files {
		if f.Role == source.Override || f.Broken {
			continue
		}
		for i := range f.Len() {
			if f.TypeOf(i) != "import" {
				continue
			}
			if b := f.Block(i); len(b.Labels) == 0 { // with labels it is invalid anyway
				diags = append(diags, checkDuplicateImport(b, first)...)
			}
		}
	}
	return diags
}

// checkDuplicateImport reports an import block whose target an earlier one has. first holds the targets so far, and
// gets the one of b.
func checkDuplicateImport(b *source.Block, first map[string]hcl.Range) hcl.Diagnostics {
	to := b.Attr("to")
	if to == nil {
		return nil
	}
	// With a computed key, the targets may differ.
	if _, diags := hcl.AbsTraversalForExpr(to.Expr()); diags.HasErrors() {
		return nil
	}
	target, at := traversalText(to.Expr()), to.Value()
	if b.File.Syntax == source.JSON {
		at = b.File.Place(at) // the range in the file itself, not in its native translation
	}
	if other, ok := first[target]; ok {
		return hcl.Diagnostics{diag.NewWith(diag.Related{Note: "also imported here", Range: other}, at,
			fmt.Sprintf("Duplicate import configuration for %q", diag.Escape(string(to.File.Text(to.Value())))),
			"An object can be imported only once. Remove one of the blocks.")}
	}
	first[target] = at
	return nil
}

// LacksFunctions reports whether a native file may contain calls such as provider::aws::f() although its engine has
// no syntax for them.
func LacksFunctions(f *source.File) bool {
	return bytes.Contains(f.Native, []byte("::")) && !sinceProviderFunctions.Has(f.Engine)
}

// Functions reports calls of provider functions, such as provider::aws::f(), in a native file whose engine has no
// syntax for them.
func Functions(f *source.File) (diags hcl.Diagnostics) {
	if !LacksFunctions(f) {
		return nil
	}
	parse.EachToken(f.Native, f.Name, hcl.InitialPos, func(t hclsyntax.Token) {
		if t.Type == hclsyntax.TokenDoubleColon {
			diags = append(diags, diag.New(t.Range, "Invalid function call",
				"%s does not support functions of providers, with :: in their names (supported by %s).",
				f.Engine.Title(), sinceProviderFunctions))
		}
	})
	return diags
}
