package judge

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/vartype"
)

// Checks of whole blocks, named by the shapes.

// Labels judges the labels of a block, which must be names. The first one of two is a type.
func Labels(b *source.Block) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for i, label := range b.Labels {
		if spelling.IsName(label) {
			continue
		}
		noun := nounOf(b)
		if i < len(b.Labels)-1 {
			noun += " type"
		}
		diags = append(diags, InvalidName(noun, b.LabelAt(i)))
	}
	return diags
}

// nounOf is the noun for the object that a block declares.
func nounOf(b *source.Block) string {
	switch b.Type {
	case "module":
		return "module instance"
	case "data":
		return "data resource"
	case "ephemeral":
		return "ephemeral resource"
	}
	return b.Type
}

// Resource judges a resource block: its labels, and the references of its connection at destroy time.
func Resource(b *source.Block) hcl.Diagnostics {
	diags := Labels(b)
	connection := b.Blocks("connection")
	if len(connection) == 0 || b.Type != "resource" {
		return diags
	}
	for _, p := range b.Blocks("provisioner") {
		if IsDestroyTime(p) {
			return append(diags, OnlySelf(connection[0])...)
		}
	}
	return diags
}

// Provisioner judges a provisioner by its type, and by its references at destroy time.
func Provisioner(b *source.Block) hcl.Diagnostics {
	var diags hcl.Diagnostics
	switch b.Labels[0] {
	case "chef", "habitat", "puppet", "salt-masterless":
		diags = append(diags, diag.New(b.LabelAt(0), fmt.Sprintf("The %q provisioner has been removed", b.Labels[0]),
			"No supported release has the %s provisioner. Remove this block.", b.Labels[0]))
	}
	if !IsDestroyTime(b) {
		return diags
	}
	diags = append(diags, OnlySelf(b)...)
	for _, conn := range b.Blocks("connection") {
		diags = append(diags, OnlySelf(conn)...)
	}
	return diags
}

// IsDestroyTime reports whether a provisioner runs when its resource is destroyed.
func IsDestroyTime(provisioner *source.Block) bool {
	when := provisioner.Attr("when")
	return when != nil && constant.Keyword(when.Expr()) == "destroy"
}

// OnlySelf reports references that a provisioner which runs while its resource
// is destroyed can't follow.
func OnlySelf(b *source.Block) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, it := range b.Items() {
		a, ok := it.(*source.Attr)
		if !ok || a.Name == "when" || a.Name == "on_failure" {
			continue
		}
		for _, ref := range a.Expr().Variables() {
			if !destroyTimeRef(ref, a.File.Engine) {
				diags = append(diags, diag.New(a.Value(), "Invalid reference from destroy provisioner",
					"A destroy-time provisioner and its connection can refer only to self, count.index, each.key, path, "+
						"terraform and tofu."))
				break
			}
		}
	}
	return diags
}

func destroyTimeRef(ref hcl.Traversal, e engine.Release) bool {
	switch root := ref.RootName(); root {
	case "self", "path", "terraform":
		return true
	case "tofu":
		return roots.has(root, e)
	case "count", "each":
		if len(ref) != 2 {
			return false
		}
		step, ok := ref[1].(hcl.TraverseAttr)
		return ok && (root == "count" && step.Name == "index" || root == "each" && step.Name == "key")
	}
	return false
}

// Provider judges a block that configures a provider.
func Provider(b *source.Block) hcl.Diagnostics {
	diags := ProviderLabel(b)
	if each := b.Attr("for_each"); each != nil && b.Attr("alias") == nil {
		diags = append(diags, diag.New(each.Value(), `Alias required when using "for_each"`,
			"Only a provider configuration with an alias can have for_each. Set alias, or remove for_each."))
	}
	return diags
}

// ProviderLabel judges the name of the provider that a block is for.
func ProviderLabel(b *source.Block) hcl.Diagnostics {
	if !providerName(b.Labels[0]) {
		return hcl.Diagnostics{invalidProviderName(b.Labels[0], b.LabelAt(0))}
	}
	return nil
}

// Instances judges the for_each of a provider configuration as far as it is constant: it must
// be a map, or a set of strings. In override files it isn't judged.
func Instances(each *source.Attr) hcl.Diagnostics {
	if each.File.Role == source.Override {
		return nil
	}
	v, ok := constant.Value(each)
	if !ok {
		return nil
	}
	if t := v.Type(); v.IsNull() || !t.IsMapType() && !t.IsObjectType() { // no constant is a set
		return hcl.Diagnostics{diag.New(each.Value(), "Invalid for_each argument",
			"for_each must be a map or a set of strings. To turn a list into a set, use toset.")}
	}
	return nil
}

// providerName reports whether a provider's local name is in its normal form:
// lower case letters, digits and single dashes inside.
func providerName(name string) bool {
	for _, r := range name {
		if r != '-' && !unicode.IsDigit(r) && (!unicode.IsLetter(r) || unicode.IsUpper(r)) {
			return false
		}
	}
	return name != "" && !strings.Contains(name, "--") && !strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-")
}

// Encryption reports the second of two elements with the same labels in an encryption block.
func Encryption(b *source.Block) hcl.Diagnostics {
	var diags hcl.Diagnostics
	first := map[string]*source.Block{}
	for _, it := range b.Items() {
		nb, ok := it.(*source.Block)
		if !ok || len(nb.Labels) == 0 {
			continue
		}
		key := nb.Type + "." + strings.Join(nb.Labels, ".")
		if first[key] != nil {
			diags = append(diags, diag.NewWith(diag.Related{Note: "declared here first", Range: first[key].Header()}, nb.Header(),
				"Duplicate "+nb.Type, "%s.%s is declared twice, so %s drops the whole %s block. Remove one.",
				nb.Type, diag.Escape(strings.Join(nb.Labels, ".")), nb.File.Engine.Product.Title(), nb.Within().Type))
			continue
		}
		first[key] = nb
	}
	return diags
}

// Check judges a check block, which needs an assertion.
func Check(b *source.Block) hcl.Diagnostics {
	diags := Labels(b)
	if b.File.Role == source.Primary && len(b.Blocks("assert")) == 0 {
		diags = append(diags, diag.New(b.Header(), "Zero assert blocks", "A check block needs at least one assert block."))
	}
	return diags
}

// Import judges the arguments of an import block together.
func Import(b *source.Block) hcl.Diagnostics {
	var diags hcl.Diagnostics
	if b.Attr("id") == nil && b.Attr("identity") == nil && b.File.Role == source.Primary {
		diags = append(diags, MissingArgument(b, "id"))
	}
	to, provider := b.Attr("to"), b.Attr("provider")
	if to == nil || provider == nil {
		return diags
	}
	if addr, ok := parseAddress(to.Expr(), b.File.Engine); ok && len(addr.modules) > 0 {
		diags = append(diags, diag.New(provider.Header(), "Invalid import provider argument",
			"An import into a module uses the provider configuration of the resource there. Remove provider."))
	}
	return diags
}

// Removed judges the provisioners of a removed block.
func Removed(b *source.Block) hcl.Diagnostics {
	var diags hcl.Diagnostics
	var addr address
	if from := b.Attr("from"); from != nil {
		addr, _ = parseAddress(from.Expr(), b.File.Engine)
	}
	for _, p := range b.Blocks("provisioner") {
		switch {
		case !IsDestroyTime(p):
			diags = append(diags, diag.New(p.Header(), `Invalid "removed.provisioner" block`,
				"Provisioners in removed blocks must run at destroy time. Set when = destroy."))
		case addr.isModule():
			diags = append(diags, diag.New(p.Header(), `Invalid "removed" block`,
				"Only the removal of a resource can have provisioners, not the removal of a module. Remove this block."))
		}
	}
	return diags
}

// reservedVariableNames mean something else inside module blocks, where each
// variable is an argument.
var reservedVariableNames = []string{"source", "version", "count", "for_each", "depends_on", "providers", "lifecycle",
	"locals", "provider", source.EscapeBlock}

// Const refuses what Terraform does: a constant variable that is a secret.
func Const(b *source.Block) hcl.Diagnostics {
	diags := Variable(b)
	if b.Labels[0] == "ignore_nested_deprecations" {
		diags = append(diags, reservedVariableName(b))
	}
	if !constant.IsOn(b.Attr("const")) {
		return diags
	}
	for _, name := range []string{"ephemeral", "sensitive"} {
		if a := b.Attr(name); constant.IsOn(a) {
			diags = append(diags, diag.WithCode(diag.ConstSecret, diag.New(a.Header(), "Const variable cannot be "+a.Name,
				"A variable can't set both const and %s. Remove one.", a.Name)))
		}
	}
	return diags
}

// UnreliableConst warns of a constant variable that files together make a secret, which
// the engine does not notice before it runs.
func UnreliableConst(arg func(string) *source.Attr) hcl.Diagnostics {
	fixed := arg("const")
	if !constant.IsOn(fixed) {
		return nil
	}
	var diags hcl.Diagnostics
	for _, name := range []string{"ephemeral", "sensitive"} {
		if a := arg(name); constant.IsOn(a) && a.Within() != fixed.Within() {
			diags = append(diags, constSecretOfTwo(a, fixed))
		}
	}
	return diags
}

// Element judges the labels of an element of an encryption block.
func Element(b *source.Block) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for i, label := range b.Labels {
		if strings.Trim(label, wordLetters) != "" || label == "" {
			diags = append(diags, invalidElement(b, i))
		}
	}
	return diags
}

// wordLetters are the letters of names that users choose.
const wordLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// Variable judges a variable block: its name, its rules, its type and its default.
func Variable(b *source.Block) hcl.Diagnostics {
	diags := Labels(b)
	if slices.Contains(reservedVariableNames, b.Labels[0]) {
		diags = append(diags, reservedVariableName(b))
	}
	if b.File.Role == source.Primary {
		for _, v := range b.Blocks("validation") {
			diags = append(diags, checkValidation(b, v)...)
		}
	}
	_, more := vartype.Decode(b)
	return append(diags, more...)
}
