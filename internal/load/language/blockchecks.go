package language

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// Checks of whole blocks, named by the shapes.

func checkLabels(b *source.Block, c *Checker) {
	for i, label := range b.Labels {
		if !spelling.IsName(label) {
			c.Add(InvalidName(nounOf(b), b.LabelAt(i)))
		}
	}
}

// nounOf is the noun for what a block declares.
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

func checkResource(b *source.Block, c *Checker) {
	for i, label := range b.Labels {
		if !spelling.IsName(label) {
			c.Add(InvalidName([]string{nounOf(b) + " type", nounOf(b)}[i], b.LabelAt(i)))
		}
	}
	connection := b.Blocks("connection")
	if len(connection) == 0 || b.Type != "resource" {
		return
	}
	for _, p := range b.Blocks("provisioner") {
		if IsDestroyTime(p) {
			c.Diags = append(c.Diags, OnlySelf(connection[0])...)
			return
		}
	}
}

func checkProvisioner(b *source.Block, c *Checker) {
	switch b.Labels[0] {
	case "chef", "habitat", "puppet", "salt-masterless":
		c.Add(removedProvisioner(b))
	}
	if !IsDestroyTime(b) {
		return
	}
	c.Diags = append(c.Diags, OnlySelf(b)...)
	for _, conn := range b.Blocks("connection") {
		c.Diags = append(c.Diags, OnlySelf(conn)...)
	}
}

// IsDestroyTime reports whether a provisioner runs when its resource is destroyed.
func IsDestroyTime(provisioner *source.Block) bool {
	when := provisioner.Attr("when")
	return when != nil && keyword(when.Expr()) == "destroy"
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
				diags = append(diags, destroyTimeReference(a))
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

func checkProvider(b *source.Block, c *Checker) {
	checkProviderLabel(b, c)
	if each := b.Attr("for_each"); each != nil && b.Attr("alias") == nil {
		c.Add(forEachWithoutAlias(each))
	}
}

// checkProviderLabel judges the name of the provider that a block is for.
func checkProviderLabel(b *source.Block, c *Checker) {
	if !providerName(b.Labels[0]) {
		c.Add(invalidProviderName(b.Labels[0], b.LabelAt(0)))
	}
}

// checkInstances judges the for_each of a provider configuration as far as it is constant: it must
// be a map, or a set of strings. In override files it isn't judged.
func checkInstances(each *source.Attr) hcl.Diagnostics {
	if each.File.Role == source.Override {
		return nil
	}
	v, ok := ConstantValue(each)
	if !ok {
		return checkStatic(each)
	}
	if t := v.Type(); v.IsNull() || !t.IsMapType() && !t.IsObjectType() { // no constant is a set
		return hcl.Diagnostics{invalidForEach(each)}
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

func checkEncryption(b *source.Block, c *Checker) {
	first := map[string]*source.Block{}
	for _, it := range b.Items() {
		nb, ok := it.(*source.Block)
		if !ok || len(nb.Labels) == 0 {
			continue
		}
		key := nb.Type + "." + strings.Join(nb.Labels, ".")
		if first[key] != nil {
			c.Add(repeatedElement(nb, first[key]))
			continue
		}
		first[key] = nb
	}
}

func checkCheck(b *source.Block, c *Checker) {
	checkLabels(b, c)
	if c.File.Role == source.Primary && len(b.Blocks("assert")) == 0 {
		c.Add(noAsserts(b))
	}
}

func checkImport(b *source.Block, c *Checker) {
	if b.Attr("id") == nil && b.Attr("identity") == nil && c.File.Role == source.Primary {
		c.Add(missingArgument(b, "id"))
	}
	to, provider := b.Attr("to"), b.Attr("provider")
	if to == nil || provider == nil {
		return
	}
	if addr, ok := parseAddress(to.Expr(), c.File.Engine); ok && len(addr.modules) > 0 {
		c.Add(importProvider(provider))
	}
}

func checkRemoved(b *source.Block, c *Checker) {
	var addr address
	if from := b.Attr("from"); from != nil {
		addr, _ = parseAddress(from.Expr(), c.File.Engine)
	}
	for _, p := range b.Blocks("provisioner") {
		switch {
		case !IsDestroyTime(p):
			c.Add(removedProvisionerWhen(p))
		case addr.isModule():
			c.Add(removedModuleProvisioner(p))
		}
	}
}

// reservedVariableNames mean something else inside module blocks, where each
// variable is an argument.
var reservedVariableNames = []string{"source", "version", "count", "for_each", "depends_on", "providers", "lifecycle",
	"locals", "provider", EscapeBlock}

// checkConst refuses what Terraform does: a constant variable that is a secret.
func checkConst(b *source.Block, c *Checker) {
	checkVariable(b, c)
	if b.Labels[0] == "ignore_nested_deprecations" {
		c.Add(reservedVariableName(b))
	}
	if !IsOn(b.Attr("const")) {
		return
	}
	for _, name := range []string{"ephemeral", "sensitive"} {
		if a := b.Attr(name); IsOn(a) {
			c.Add(constSecret(a))
		}
	}
}

// unreliableConst warns of a constant variable that files together make a secret, which
// the engine does not notice before it runs.
func unreliableConst(arg func(string) *source.Attr) hcl.Diagnostics {
	fixed := arg("const")
	if !IsOn(fixed) {
		return nil
	}
	var diags hcl.Diagnostics
	for _, name := range []string{"ephemeral", "sensitive"} {
		if a := arg(name); IsOn(a) && a.Within() != fixed.Within() {
			diags = append(diags, constSecretOfTwo(a, fixed))
		}
	}
	return diags
}

// checkElement judges the labels of an element of an encryption block.
func checkElement(b *source.Block, c *Checker) {
	for i, label := range b.Labels {
		if strings.Trim(label, wordLetters) != "" || label == "" {
			c.Add(invalidElement(b, i))
		}
	}
}

// wordLetters are the letters of names that users choose.
const wordLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

func checkVariable(b *source.Block, c *Checker) {
	checkLabels(b, c)
	if slices.Contains(reservedVariableNames, b.Labels[0]) {
		c.Add(reservedVariableName(b))
	}
	if c.File.Role == source.Primary {
		for _, v := range b.Blocks("validation") {
			c.Add(checkValidation(b, v)...)
		}
	}
	_, diags := DecodeVariable(b)
	c.Diags = append(c.Diags, diags...)
}
