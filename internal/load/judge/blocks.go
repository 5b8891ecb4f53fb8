package judge

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// Checks of whole blocks, named by the shapes.

// Labels judges the labels of a block, which must be names. The first one of two is a type.
func Labels(b *source.Block) (diags hcl.Diagnostics) {
	for i, label := range b.Labels {
		if IsName(label, b.File) {
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

// IsName reports whether the engine of a file takes a text for a name.
func IsName(text string, f *source.File) bool {
	return spelling.IsName(text) && f.Engine.UnknownLetter([]byte(text)) < 0
}

// nounOf returns the noun that the engine's messages use for what a block declares.
func nounOf(b *source.Block) string {
	switch b.Type {
	case "module":
		return "module instance"
	case "data":
		return "data resource"
	case "ephemeral":
		return "ephemeral resource"
	case "symbols":
		return "symbol"
	}
	return b.Type
}

// Resource judges a resource block: its labels, and what its connection refers to if a provisioner runs at
// destroy time.
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

// Provisioner judges a provisioner by its type, and by its references if it runs at destroy time.
func Provisioner(b *source.Block) (diags hcl.Diagnostics) {
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

// OnlySelf reports references that a provisioner can't use while its resource is destroyed: other objects
// may be gone by then.
func OnlySelf(b *source.Block) (diags hcl.Diagnostics) {
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

// destroyTimeRef reports whether a reference is allowed at destroy time.
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

// ProviderLabel judges the name of the provider that a block configures.
func ProviderLabel(b *source.Block) hcl.Diagnostics {
	if !providerName(b.Labels[0]) {
		return hcl.Diagnostics{invalidProviderName(b.Labels[0], b.LabelAt(0))}
	}
	return nil
}

// Instances judges the for_each of a provider configuration as far as it is constant: it must be a map, or
// a set of strings. It doesn't judge override files.
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

// providerName reports whether a provider's local name is in its normal form: lower case letters, digits
// and single dashes inside.
func providerName(name string) bool {
	for _, r := range name {
		if r != '-' && !unicode.IsDigit(r) && (!unicode.IsLetter(r) || unicode.IsUpper(r)) {
			return false
		}
	}
	return name != "" && !strings.Contains(name, "--") && !strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-")
}

// Encryption reports each element of an encryption block that has the type and labels of an earlier one.
func Encryption(b *source.Block) (diags hcl.Diagnostics) {
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
func Import(b *source.Block) (diags hcl.Diagnostics) {
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
func Removed(b *source.Block) (diags hcl.Diagnostics) {
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

// reservedVariableNames are names that mean something else in module blocks, where each variable is an
// argument.
var reservedVariableNames = []string{"source", "version", "count", "for_each", "depends_on", "providers", "lifecycle",
	"locals", "provider", source.EscapeBlock}

// Const judges a variable block, and refuses a constant variable that is a secret, as Terraform does.
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

// UnreliableConst warns of a constant variable that blocks of several files make a secret. The engine
// doesn't notice that before it runs.
func UnreliableConst(arg func(string) *source.Attr) (diags hcl.Diagnostics) {
	fixed := arg("const")
	if !constant.IsOn(fixed) {
		return nil
	}
	for _, name := range []string{"ephemeral", "sensitive"} {
		if a := arg(name); constant.IsOn(a) && a.Within() != fixed.Within() {
			diags = append(diags, constSecretOfTwo(a, fixed))
		}
	}
	return diags
}

// Element judges the labels of an element of an encryption block.
func Element(b *source.Block) (diags hcl.Diagnostics) {
	for i, label := range b.Labels {
		if strings.Trim(label, wordLetters) != "" || label == "" {
			diags = append(diags, invalidElement(b, i))
		}
	}
	return diags
}

// wordLetters are the characters of the labels in an encryption block.
const wordLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// Variable judges a variable block: its name, its rules, its type and its default.
func Variable(b *source.Block) hcl.Diagnostics {
	_, diags := constant.DecodeVariable(b)
	return append(UntypedVariable(b), diags...)
}

// UntypedVariable judges the name and the rules of a variable block.
func UntypedVariable(b *source.Block) hcl.Diagnostics {
	diags := Labels(b)
	if slices.Contains(reservedVariableNames, b.Labels[0]) {
		diags = append(diags, reservedVariableName(b))
	}
	if b.File.Role == source.Primary {
		for _, v := range b.Blocks("validation") {
			diags = append(diags, checkValidation(b, v)...)
		}
	}
	return diags
}

// Typed judges the type and the default of a variable in effect, which may come from several blocks.
func Typed(arg func(string) *source.Attr) hcl.Diagnostics {
	_, diags := constant.WholeVariable(arg)
	return diags
}

// Addresses of objects, as moved, import and removed blocks name them. Only their
// form is judged, not whether there is such an object.

// An address names a module or, with a type, a resource.
type address struct {
	modules []string // outermost first
	mode    string   // the word before the type, "" for a managed resource
	typ     string
}

func (a address) isModule() bool { return len(a.modules) > 0 && a.typ == "" }

// parseAddress reads an address whose keys may be expressions; ok is false if it isn't one to the engine.
func parseAddress(expr hcl.Expression, e engine.Release) (address, bool) {
	var a address
	steps, ok := stepsOf(expr)
	for ok && len(steps) > 0 && stepName(steps[0]) == "module" {
		if len(steps) < 2 || stepName(steps[1]) == "" {
			return a, false
		}
		a.modules = append(a.modules, stepName(steps[1]))
		steps = withoutKey(steps[2:])
	}
	if !ok || len(steps) == 0 {
		return a, ok
	}
	if mode := stepName(steps[0]); modes.has(mode, e) {
		a.mode, steps = mode, steps[1:]
	}
	if len(steps) < 2 || stepName(steps[0]) == "" || stepName(steps[1]) == "" {
		return a, false
	}
	a.typ = stepName(steps[0])
	steps = withoutKey(steps[2:])
	isWord := a.mode == "" && slices.Contains(noTypes, a.typ) && wordsAreNoTypes.Has(e)
	if a.mode == "resource" {
		a.mode = ""
	}
	return a, len(steps) == 0 && !isWord
}

// withoutKey returns the steps of an address without a leading key of an instance.
func withoutKey(steps []hcl.Traverser) []hcl.Traverser {
	if len(steps) > 0 {
		if index, ok := steps[0].(hcl.TraverseIndex); ok && isKey(index.Key) {
			return steps[1:]
		}
	}
	return steps
}

// isKey reports whether a value may be the key of an instance: a string, a whole number of 64 bits, or
// anything unknown.
func isKey(v cty.Value) bool {
	if !v.IsKnown() || v.Type() == cty.String {
		return true
	}
	if v.Type() != cty.Number || v.IsNull() {
		return false
	}
	_, accuracy := v.AsBigFloat().Int64()
	return accuracy == big.Exact
}

// stepsOf returns the steps of a reference. Keys that are expressions become unknown values. ok is false
// for anything else.
func stepsOf(expr hcl.Expression) ([]hcl.Traverser, bool) {
	if ref, diags := hcl.AbsTraversalForExpr(expr); !diags.HasErrors() {
		return ref, true
	}
	switch e := expr.(type) {
	case *hclsyntax.IndexExpr:
		steps, ok := stepsOf(e.Collection)
		return append(steps, hcl.TraverseIndex{Key: cty.DynamicVal}), ok
	case *hclsyntax.RelativeTraversalExpr:
		steps, ok := stepsOf(e.Source)
		return append(steps, e.Traversal...), ok
	}
	return nil, false
}

// addressOf reads the address in an argument; ok is false if it isn't one, or of a mode that isn't among
// those taken.
func addressOf(a *source.Attr, taken wordTable) (address, bool) {
	addr, ok := parseAddress(a.Expr(), a.File.Engine)
	return addr, ok && taken.has(addr.mode, a.File.Engine)
}

// MovedAddress judges an address of a moved block.
func MovedAddress(a *source.Attr) hcl.Diagnostics {
	if _, ok := addressOf(a, movable); !ok {
		return hcl.Diagnostics{invalidAddress(a, "Write the address of a resource or module, or of an instance "+
			"of one: aws_instance.web, module.net, module.net[0].aws_instance.web.")}
	}
	return nil
}

// Moved reports a move from a module to a resource or the other way round.
func Moved(b *source.Block) hcl.Diagnostics {
	from, to := b.Attr("from"), b.Attr("to")
	if from == nil || to == nil {
		return nil
	}
	source, ok := parseAddress(from.Expr(), b.File.Engine)
	target, both := parseAddress(to.Expr(), b.File.Engine)
	if ok && both && source.isModule() != target.isModule() {
		return hcl.Diagnostics{diag.NewWith(diag.Related{Note: "other address here", Range: from.Value()}, to.Value(),
			`Invalid "moved" addresses`, "A module can move only to a module, and a resource only to a resource.")}
	}
	return nil
}

// ImportTarget judges the address that an import block imports to.
func ImportTarget(a *source.Attr) hcl.Diagnostics {
	if addr, ok := addressOf(a, importable); !ok || addr.isModule() {
		return hcl.Diagnostics{invalidAddress(a, "Write the address of a managed resource or of an instance of "+
			"one: aws_instance.web, module.net.aws_instance.web[0].")}
	}
	return nil
}

// RemovedAddress judges the address of an object to be forgotten, with all its instances. It has neither
// keys nor modes.
func RemovedAddress(a *source.Attr) hcl.Diagnostics {
	names, ok := namesOf(a.Expr())
	for ok && len(names) > 1 && names[0] == "module" {
		names = names[2:]
		ok = len(names) != 1
	}
	if ok = ok && (len(names) == 0 || len(names) == 2 && names[0] != "data" && names[0] != "module"); !ok {
		return hcl.Diagnostics{invalidAddress(a, "Write the address of a managed resource or a module, without "+
			"the key of an instance: aws_instance.web, module.net.")}
	}
	return nil
}

// namesOf returns the names that a reference consists of; ok is false if it has anything else.
func namesOf(expr hcl.Expression) ([]string, bool) {
	steps, ok := stepsOf(expr)
	var names []string
	for _, step := range steps {
		name := stepName(step)
		names, ok = append(names, name), ok && name != ""
	}
	return names, ok
}

// Checks of the conditions of variables and of objects.

// checkValidation reports a condition that doesn't refer to its variable.
func checkValidation(variable, validation *source.Block) hcl.Diagnostics {
	cond := validation.Attr("condition")
	if cond == nil || cond.PlainlyRefersTo("var", variable.Labels[0]) {
		return nil
	}
	name := variable.Labels[0]
	if slices.ContainsFunc(cond.Expr().Variables(), func(ref hcl.Traversal) bool { return isVariable(ref, name) }) {
		return nil
	}
	return hcl.Diagnostics{diag.New(cond.Value(), "Invalid variable validation condition",
		"The condition does not test the variable. Refer to var.%s.", diag.Escape(name))}
}

// Reach reports references of a validation rule to anything but its variable. Only later releases allow
// them.
func Reach(validation *source.Block) (diags hcl.Diagnostics) {
	variable := validation.Within().Labels[0]
	for _, name := range []string{"condition", "error_message"} {
		a := validation.Attr(name)
		if a != nil && slices.ContainsFunc(a.Expr().Variables(),
			func(ref hcl.Traversal) bool { return !isVariable(ref, variable) }) {
			diags = append(diags, diag.New(a.Value(), "Invalid reference in variable validation",
				"In %s, a validation block can refer only to its own variable, var.%s (other references: %s).",
				a.File.Engine.Title(), diag.Escape(variable), SinceReach))
		}
	}
	return diags
}

func isVariable(ref hcl.Traversal, name string) bool {
	return len(ref) > 1 && ref.RootName() == "var" && stepName(ref[1]) == name
}

// stepName returns the name that a step of a reference selects, or "" for a key.
func stepName(step hcl.Traverser) string {
	switch step := step.(type) {
	case hcl.TraverseRoot:
		return step.Name
	case hcl.TraverseAttr:
		return step.Name
	}
	return ""
}

// Own reports a condition that refers to its own object by address; there it is called self.
func Own(condition *source.Block) (diags hcl.Diagnostics) {
	object := condition.Within().Within()
	own := object.Labels
	if object.Type != "resource" {
		own = append([]string{object.Type}, own...)
	}
	for _, name := range []string{"condition", "error_message"} {
		a := condition.Attr(name)
		if a != nil && slices.ContainsFunc(a.Expr().Variables(),
			func(ref hcl.Traversal) bool { return leads(own, ref) }) {
			diags = append(diags, diag.New(a.Value(), "Invalid reference in "+condition.Type,
				"A condition can't refer to its own object by address. In a postcondition, use self instead."))
		}
	}
	return diags
}

// leads reports whether a reference starts with names.
func leads(names []string, ref hcl.Traversal) bool {
	if len(ref) < len(names) {
		return false
	}
	for i, name := range names {
		if stepName(ref[i]) != name {
			return false
		}
	}
	return true
}
