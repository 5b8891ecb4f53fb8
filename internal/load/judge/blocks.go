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

// Labels returns an error for each label of a block that isn't a valid name. The error calls a label before the last
// one a type, as in TYPE NAME of a resource.
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

// IsName reports whether a text is a name to the engine that reads file f. Engines differ in the letters they know.
func IsName(text string, f *source.File) bool {
	return spelling.IsName(text) && f.Engine.UnknownLetter([]byte(text)) < 0
}

// nounOf returns what the engine's messages call an object that a block declares.
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

// Resource judges a resource or data block: its labels, and the references in its connection if one of its
// provisioners runs at destroy time.
func Resource(b *source.Block) hcl.Diagnostics {
	diags := Labels(b)
	connection := b.Blocks("connection")
	if len(connection) == 0 || b.Type != "resource" { // only resources have provisioners
		return diags
	}
	for _, p := range b.Blocks("provisioner") {
		if IsDestroyTime(p) {
			return append(diags, OnlySelf(connection[0])...)
		}
	}
	return diags
}

// Provisioner reports a provisioner of a removed type, and references that it can't have if it runs at destroy time.
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

// OnlySelf reports references that a provisioner, or its connection, can't have while its resource is destroyed, when
// other objects may be gone already.
func OnlySelf(b *source.Block) (diags hcl.Diagnostics) {
	for _, it := range b.Items() {
		a, ok := it.(*source.Attr)
		if !ok || a.Name == "when" || a.Name == "on_failure" { // these two hold keywords, not references
			continue
		}
		for _, ref := range a.Expr().Variables() {
			if !isAllowedAtDestroy(ref, a.File.Engine) {
				diags = append(diags, diag.New(a.Value(), "Invalid reference from destroy provisioner",
					"A destroy-time provisioner and its connection can refer only to self, count.index, each.key, path, "+
						"terraform and tofu."))
				break
			}
		}
	}
	return diags
}

// isAllowedAtDestroy reports whether a provisioner may use a reference while its resource is destroyed. It allows
// self, path, terraform and, if the release knows it, tofu. Of count and each it allows only count.index and
// each.key.
func isAllowedAtDestroy(ref hcl.Traversal, e engine.Release) bool {
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

// Provider judges a provider block: its name, and that it has an alias if it has for_each.
func Provider(b *source.Block) hcl.Diagnostics {
	diags := ProviderLabel(b)
	if each := b.Attr("for_each"); each != nil && b.Attr("alias") == nil {
		diags = append(diags, diag.New(each.Value(), `Alias required when using "for_each"`,
			"Only a provider configuration with an alias can have for_each. Set alias, or remove for_each."))
	}
	return diags
}

// ProviderLabel judges the label of a provider block, the provider's local name.
func ProviderLabel(b *source.Block) hcl.Diagnostics {
	if !isProviderName(b.Labels[0]) {
		return hcl.Diagnostics{invalidProviderName(b.Labels[0], b.LabelAt(0))}
	}
	return nil
}

// Instances judges the for_each of a provider block if it is constant: it must be a map, or a set of strings. It
// skips override files.
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

// isProviderName reports whether a text can be the local name of a provider: lower case letters, digits and single
// dashes between them.
func isProviderName(name string) bool {
	for _, r := range name {
		isLowerLetter := unicode.IsLetter(r) && !unicode.IsUpper(r)
		if r != '-' && !unicode.IsDigit(r) && !isLowerLetter {
			return false
		}
	}
	return name != "" && !strings.Contains(name, "--") && !strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-")
}

// Encryption reports each block in an encryption block, such as key_provider, that has the type and labels of an
// earlier one.
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

// Check judges a check block: its name, and in a primary file that it has an assertion.
func Check(b *source.Block) hcl.Diagnostics {
	diags := Labels(b)
	if b.File.Role == source.Primary && len(b.Blocks("assert")) == 0 {
		diags = append(diags, diag.New(b.Header(), "Zero assert blocks", "A check block needs at least one assert block."))
	}
	return diags
}

// Import judges an import block. In a primary file it needs an id or an identity. If it imports into a module, it
// can't have a provider.
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

// Removed judges the provisioners in a removed block: they must run at destroy time, and the block must remove a
// resource.
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

// VariableWithConst is Variable for the releases of Terraform that have the argument const: a block can't set both
// const and sensitive or ephemeral, and one more name is reserved.
func VariableWithConst(b *source.Block) hcl.Diagnostics {
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

// UnreliableConst warns about a variable that sets const in one block and sensitive or ephemeral in another. The
// engine accepts that, but refuses both in one block, as the merged configuration has them. arg returns an effective
// argument.
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

// Element returns an error for each label of a key_provider or method block that isn't made of letters, digits,
// underscores and dashes.
func Element(b *source.Block) (diags hcl.Diagnostics) {
	for i, label := range b.Labels {
		hasOther := strings.Trim(label, wordLetters) != "" // a character that isn't one of these stops Trim
		if hasOther || label == "" {
			diags = append(diags, invalidElement(b, i))
		}
	}
	return diags
}

// wordLetters are the characters of the labels in an encryption block.
const wordLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// Variable judges a variable block: its name, its validation rules, its type and its default.
func Variable(b *source.Block) hcl.Diagnostics {
	_, diags := constant.DecodeVariable(b)
	return append(UntypedVariable(b), diags...)
}

// UntypedVariable judges a variable block except for its type and default, which some releases judge only after
// merging.
func UntypedVariable(b *source.Block) hcl.Diagnostics {
	diags := Labels(b)
	if slices.Contains(reservedVariableNames, b.Labels[0]) {
		diags = append(diags, reservedVariableName(b))
	}
	// Merging refuses validation blocks in override files.
	if b.File.Role == source.Primary {
		for _, v := range b.Blocks("validation") {
			diags = append(diags, checkValidation(b, v)...)
		}
	}
	return diags
}

// Typed judges the effective type and default of a variable, which may come from different blocks. arg returns an
// effective argument, or nil.
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

// isModule reports whether the address names a module, not a resource.
func (a address) isModule() bool { return len(a.modules) > 0 && a.typ == "" }

// parseAddress parses the address of a module or resource, such as module.net.aws_instance.web[0]. Keys may be any
// expressions; they are dropped. ok is false if the engine doesn't accept the expression as an address.
func parseAddress(expr hcl.Expression, e engine.Release) (address, bool) {
	var a address
	steps, ok := stepsOf(expr)
	if !ok {
		return a, false
	}
	// module.NAME, perhaps several
	for len(steps) > 0 && stepName(steps[0]) == "module" {
		if len(steps) < 2 || stepName(steps[1]) == "" {
			return a, false
		}
		a.modules = append(a.modules, stepName(steps[1]))
		steps = withoutKey(steps[2:])
	}
	if len(steps) == 0 {
		return a, true
	}
	// TYPE.NAME, perhaps after a mode such as data
	if mode := stepName(steps[0]); modes.has(mode, e) {
		a.mode, steps = mode, steps[1:]
	}
	if len(steps) < 2 || stepName(steps[0]) == "" || stepName(steps[1]) == "" {
		return a, false
	}
	a.typ = stepName(steps[0])
	steps = withoutKey(steps[2:])
	// In var.x, var isn't a type: since some release, only resource.var.x is an address.
	isReserved := a.mode == "" && slices.Contains(reservedTypes, a.typ) && sinceReservedTypes.Has(e)
	if a.mode == "resource" { // from here on, it means the same as no mode
		a.mode = ""
	}
	return a, len(steps) == 0 && !isReserved
}

// withoutKey returns the steps of an address without an instance key such as [0] at their start.
func withoutKey(steps []hcl.Traverser) []hcl.Traverser {
	if len(steps) > 0 {
		if index, ok := steps[0].(hcl.TraverseIndex); ok && isKey(index.Key) {
			return steps[1:]
		}
	}
	return steps
}

// isKey reports whether a value can be the key of an instance: a string, an integer of 64 bits, or an unknown value.
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

// stepsOf returns the steps of a reference: of a.b[0].c, a, b, 0 and c. Keys that are expressions become unknown
// values. ok is false for other expressions.
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

// addressIn returns the address in an argument. ok is false if there is none, or if its mode, such as data, is not in
// taken. These are the modes that the block of the argument accepts.
func addressIn(a *source.Attr, taken wordTable) (address, bool) {
	addr, ok := parseAddress(a.Expr(), a.File.Engine)
	return addr, ok && taken.has(addr.mode, a.File.Engine)
}

// MovedAddress judges the from or to of a moved block.
func MovedAddress(a *source.Attr) hcl.Diagnostics {
	if _, ok := addressIn(a, movable); !ok {
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
	source, isAddress := parseAddress(from.Expr(), b.File.Engine)
	target, areBoth := parseAddress(to.Expr(), b.File.Engine)
	if isAddress && areBoth && source.isModule() != target.isModule() {
		return hcl.Diagnostics{diag.NewWith(diag.Related{Note: "other address here", Range: from.Value()}, to.Value(),
			`Invalid "moved" addresses`, "A module can move only to a module, and a resource only to a resource.")}
	}
	return nil
}

// ImportTarget judges the to of an import block, the address of a managed resource.
func ImportTarget(a *source.Attr) hcl.Diagnostics {
	if addr, ok := addressIn(a, importable); !ok || addr.isModule() {
		return hcl.Diagnostics{invalidAddress(a, "Write the address of a managed resource or of an instance of "+
			"one: aws_instance.web, module.net.aws_instance.web[0].")}
	}
	return nil
}

// RemovedAddress judges the from of a removed block. Since all instances are removed, the address has no keys, and
// neither data nor any other mode in front of the type.
func RemovedAddress(a *source.Attr) hcl.Diagnostics {
	names, ok := namesOf(a.Expr())
	// Behind the modules comes nothing, or TYPE.NAME; a mode would be a third name.
	for ok && len(names) > 1 && names[0] == "module" {
		names = names[2:]
		ok = len(names) != 1 // module.a.b is incomplete
	}
	isModule := len(names) == 0
	isResource := len(names) == 2 && names[0] != "data" && names[0] != "module"
	if !ok || !isModule && !isResource {
		return hcl.Diagnostics{invalidAddress(a, "Write the address of a managed resource or a module, without "+
			"the key of an instance: aws_instance.web, module.net.")}
	}
	return nil
}

// namesOf returns the names in a reference such as a.b.c; ok is false if it has keys, or isn't a reference.
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

// checkValidation returns an error if the condition of a validation block doesn't refer to the variable around it.
func checkValidation(variable, validation *source.Block) hcl.Diagnostics {
	cond := validation.Attr("condition")
	// PlainlyRefersTo finds most references without parsing.
	if cond == nil || cond.PlainlyRefersTo("var", variable.Labels[0]) {
		return nil
	}
	name := variable.Labels[0]
	if slices.ContainsFunc(cond.Expr().Variables(), func(ref hcl.Traversal) bool { return refersToVariable(ref, name) }) {
		return nil
	}
	return hcl.Diagnostics{diag.New(cond.Value(), "Invalid variable validation condition",
		"The condition does not test the variable. Refer to var.%s.", diag.Escape(name))}
}

// Reach returns an error for each argument of a validation block that refers to anything but the block's own
// variable. It is for releases that don't allow other references.
func Reach(validation *source.Block) (diags hcl.Diagnostics) {
	variable := validation.Within().Labels[0]
	for _, name := range []string{"condition", "error_message"} {
		a := validation.Attr(name)
		if a != nil && slices.ContainsFunc(a.Expr().Variables(),
			func(ref hcl.Traversal) bool { return !refersToVariable(ref, variable) }) {
			diags = append(diags, diag.New(a.Value(), "Invalid reference in variable validation",
				"In %s, a validation block can refer only to its own variable, var.%s (other references: %s).",
				a.File.Engine.Title(), diag.Escape(variable), SinceReach))
		}
	}
	return diags
}

// refersToVariable reports whether ref is var.NAME or a part of it.
func refersToVariable(ref hcl.Traversal, name string) bool {
	return len(ref) > 1 && ref.RootName() == "var" && stepName(ref[1]) == name
}

// stepName returns the name in a step of a reference, or "" for a key in brackets.
func stepName(step hcl.Traverser) string {
	switch step := step.(type) {
	case hcl.TraverseRoot:
		return step.Name
	case hcl.TraverseAttr:
		return step.Name
	}
	return ""
}

// Own judges a precondition or postcondition block. It returns an error for each argument that refers to the object
// around the block by address, such as aws_instance.web.id. Postconditions use self instead.
func Own(condition *source.Block) (diags hcl.Diagnostics) {
	object := condition.Within().Within() // around the lifecycle block
	own := object.Labels
	if object.Type != "resource" {
		own = append([]string{object.Type}, own...) // data.TYPE.NAME
	}
	for _, name := range []string{"condition", "error_message"} {
		a := condition.Attr(name)
		if a != nil && slices.ContainsFunc(a.Expr().Variables(),
			func(ref hcl.Traversal) bool { return startsWith(own, ref) }) {
			diags = append(diags, diag.New(a.Value(), "Invalid reference in "+condition.Type,
				"A condition can't refer to its own object by address. In a postcondition, use self instead."))
		}
	}
	return diags
}

// startsWith reports whether the first steps of a reference are the given names.
func startsWith(names []string, ref hcl.Traversal) bool {
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
