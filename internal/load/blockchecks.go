package load

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Checks of whole blocks, named by the shapes.

func checkLabels(b *Block, c *shapeCheck) {
	for i, label := range b.Labels {
		if !isName(label) {
			c.add(invalidName(nounOf(b), b.LabelAt(i)))
		}
	}
}

// isName tells whether a text can be a name. Names of plain letters, which most
// are, need no look into the tables of Unicode.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || i > 0 && (c == '-' || c >= '0' && c <= '9')
		if !plain {
			return hclsyntax.ValidIdentifier(s)
		}
	}
	return s != ""
}

// nounOf words what a block declares.
func nounOf(b *Block) string {
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

func checkResource(b *Block, c *shapeCheck) {
	for i, label := range b.Labels {
		if !isName(label) {
			c.add(invalidName([]string{nounOf(b) + " type", nounOf(b)}[i], b.LabelAt(i)))
		}
	}
	connection := b.Body.Blocks("connection")
	if len(connection) == 0 || b.Type != "resource" {
		return
	}
	for _, p := range b.Body.Blocks("provisioner") {
		if IsDestroyTime(p) {
			c.diags = append(c.diags, OnlySelf(connection[0].Body)...)
			return
		}
	}
}

func checkProvisioner(b *Block, c *shapeCheck) {
	switch b.Labels[0] {
	case "chef", "habitat", "puppet", "salt-masterless":
		c.add(removedProvisioner(b))
	}
	if !IsDestroyTime(b) {
		return
	}
	c.diags = append(c.diags, OnlySelf(b.Body)...)
	for _, conn := range b.Body.Blocks("connection") {
		c.diags = append(c.diags, OnlySelf(conn.Body)...)
	}
}

// IsDestroyTime tells whether a provisioner runs when its resource is destroyed.
func IsDestroyTime(provisioner *Block) bool {
	when := provisioner.Body.Attr("when")
	return when != nil && keyword(when.Expr()) == "destroy"
}

// OnlySelf reports references that a provisioner which runs while its resource
// is destroyed can't follow.
func OnlySelf(body *Body) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, it := range body.Items {
		a, ok := it.(*Attr)
		if !ok || a.Name == "when" || a.Name == "on_failure" {
			continue
		}
		for _, ref := range a.Expr().Variables() {
			if !destroyTimeRef(ref) {
				diags = append(diags, destroyTimeReference(a))
				break
			}
		}
	}
	return diags
}

func destroyTimeRef(ref hcl.Traversal) bool {
	switch root := ref.RootName(); root {
	case "self", "path", "terraform", "tofu":
		return true
	case "count", "each":
		if len(ref) != 2 {
			return false
		}
		step, ok := ref[1].(hcl.TraverseAttr)
		return ok && (root == "count" && step.Name == "index" || root == "each" && step.Name == "key")
	}
	return false
}

func checkProvider(b *Block, c *shapeCheck) {
	if !providerName(b.Labels[0]) {
		c.add(invalidProviderName(b.Labels[0], b.LabelAt(0)))
	}
	if each := b.Body.Attr("for_each"); each != nil && b.Body.Attr("alias") == nil {
		c.add(forEachWithoutAlias(each))
	}
}

// providerName tells whether a provider's local name is in its normal form:
// lower case letters, digits and single dashes inside.
func providerName(name string) bool {
	for _, r := range name {
		if r != '-' && !unicode.IsDigit(r) && (!unicode.IsLetter(r) || unicode.IsUpper(r)) {
			return false
		}
	}
	return name != "" && !strings.Contains(name, "--") && !strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-")
}

func checkEncryption(b *Block, c *shapeCheck) {
	first := map[string]*Block{}
	for _, it := range b.Body.Items {
		nb, ok := it.(*Block)
		if !ok || len(nb.Labels) == 0 {
			continue
		}
		key := nb.Type + "." + strings.Join(nb.Labels, ".")
		if first[key] != nil {
			c.add(repeatedElement(nb, first[key]))
			continue
		}
		first[key] = nb
	}
}

func checkCheck(b *Block, c *shapeCheck) {
	checkLabels(b, c)
	if c.file.Role == Primary && len(b.Body.Blocks("assert")) == 0 {
		c.add(noAsserts(b))
	}
}

func checkImport(b *Block, c *shapeCheck) {
	if b.Body.Attr("id") == nil && b.Body.Attr("identity") == nil && c.file.Role == Primary {
		c.add(missingArgument(b, "id"))
	}
}

func checkRemoved(b *Block, c *shapeCheck) {
	for _, p := range b.Body.Blocks("provisioner") {
		if !IsDestroyTime(p) {
			c.add(removedProvisionerWhen(p))
		}
	}
}

// reservedVariableNames mean something else inside module blocks, where each
// variable is an argument.
var reservedVariableNames = []string{"source", "version", "count", "for_each", "depends_on", "providers", "lifecycle", "locals", "provider", EscapeBlock}

func checkVariable(b *Block, c *shapeCheck) {
	checkLabels(b, c)
	if slices.Contains(reservedVariableNames, b.Labels[0]) {
		c.add(reservedVariableName(b))
	}
	if c.file.Role == Primary {
		for _, v := range b.Body.Blocks("validation") {
			c.add(checkValidation(b, v)...)
		}
	}
	if _, diags := DecodeVariable(b); !c.diags.HasErrors() || len(diags) > 0 {
		c.diags = append(c.diags, diags...)
	}
}

// checkValidation reports a condition that looks at anything but its variable.
func checkValidation(variable, validation *Block) hcl.Diagnostics {
	cond := validation.Body.Attr("condition")
	if cond == nil {
		return nil
	}
	for _, ref := range cond.Expr().Variables() {
		if len(ref) < 2 || ref.RootName() != "var" {
			continue
		}
		if step, ok := ref[1].(hcl.TraverseAttr); ok && step.Name == variable.Labels[0] {
			return nil
		}
	}
	return hcl.Diagnostics{{
		Severity: hcl.DiagError,
		Summary:  "Invalid variable validation condition",
		Detail:   fmt.Sprintf("The condition must refer to var.%s, or it would test nothing of the value that is given.", Escape(variable.Labels[0])),
		Subject:  cond.Value().Ptr(),
	}}
}

// refuseVersion reports a version beside a module's source that is no registry
// address, as far as both are constants. A version of null is none.
func refuseVersion(arg func(string) *Attr) hcl.Diagnostics {
	if v := arg("version"); v == nil || isNull(v) {
		return nil
	}
	return refuseAnyVersion(arg)
}

// refuseAnyVersion does so for releases to which null is a version as well.
func refuseAnyVersion(arg func(string) *Attr) hcl.Diagnostics {
	source, ver := arg("source"), arg("version")
	if source == nil || ver == nil {
		return nil
	}
	if _, ok := ConstantValue(ver); !ok {
		return nil
	}
	if diags := checkConstraint(ver); diags.HasErrors() {
		return diags
	}
	addr, ok := ConstantString(source)
	if !ok || isRegistrySource(addr) {
		return nil
	}
	return hcl.Diagnostics{versionWithoutRegistry(source, ver)}
}

// doubtVersion warns of what only the installation of modules will refuse.
func doubtVersion(arg func(string) *Attr) hcl.Diagnostics {
	diags := refuseVersion(arg)
	for _, d := range diags {
		d.Severity = hcl.DiagWarning
		d.Detail += " The engine refuses it when it installs modules."
	}
	return diags
}

func isNull(a *Attr) bool {
	v, ok := ConstantValue(a)
	return ok && v.IsNull()
}

// isRegistrySource tells the addresses of module registries:
// [HOST/]NAMESPACE/NAME/SYSTEM, perhaps with //SUBDIRECTORY.
func isRegistrySource(addr string) bool {
	addr, _, _ = strings.Cut(addr, "//")
	parts := strings.Split(addr, "/")
	if len(parts) == 4 {
		if !strings.Contains(parts[0], ".") && parts[0] != "localhost" {
			return false
		}
		parts = parts[1:]
	}
	if len(parts) != 3 {
		return false
	}
	for _, p := range parts {
		if p == "" || strings.Trim(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			return false
		}
	}
	return true
}

// IsModuleSource tells the argument that says where a module call's module is.
func IsModuleSource(a *Attr) bool {
	if a.In == nil || a.In.In != nil {
		return false
	}
	shape, _ := a.File.Language.Block(a.In.Type)
	arg, ok := shape.Body.Arg(a.Name)
	return ok && (arg.Kind == Source || arg.Kind == FixedSource)
}
