package language

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/guard"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

func unknownTopBlock(b *source.Block) *hcl.Diagnostic {
	d := diag.WithCode(diag.UnknownBlock, diag.New(b.Header(), "Unsupported block type",
		"The language has no top-level block of type \"%s\".%s The block is printed as it is; the engine refuses it.", diag.Escape(b.Type), diag.DidYouMean(b.Type, Of(b.File.Engine).Types())))
	d.Severity = hcl.DiagWarning
	return d
}

func unknownOverrideBlock(b *source.Block) *hcl.Diagnostic {
	return diag.WithCode(diag.UnknownBlock, diag.New(b.Header(), "Unsupported block type",
		"The language has no top-level block of type \"%s\", so no rule tells what it does in an override file.%s", diag.Escape(b.Type), diag.DidYouMean(b.Type, Of(b.File.Engine).Types())))
}

func TopArgument(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Header(), "Unsupported argument",
		"An argument named \"%s\" is not expected here: the top level of a file holds blocks only.", diag.Escape(a.Name))
}

func misplacedBlock(b *source.Block, why string) *hcl.Diagnostic {
	return diag.New(b.Header(), fmt.Sprintf("Invalid %s block", b.Type), "%s Remove the block or move it.", why)
}

func reservedBlock(b *source.Block, within string) *hcl.Diagnostic {
	return diag.New(b.TypeAt(), fmt.Sprintf("Reserved block type name in %s block", within),
		"The block type name %q is kept free for a future version of the language. A provider's own block of that "+
			"name goes inside a block of type %q.", b.Type, EscapeBlock)
}

func laterBlock(b *source.Block, in engine.Releases) *hcl.Diagnostic {
	return diag.WithCode(diag.UnknownBlock, diag.New(b.TypeAt(), "Unsupported block type",
		"%s does not know blocks of type %q, which are known to %s.", b.File.Engine, b.Type, in))
}

func laterArgument(a *source.Attr, in engine.Releases) *hcl.Diagnostic {
	return diag.New(a.Header(), "Unsupported argument", "%s does not know the argument %q, which is known to %s.",
		a.File.Engine, a.Name, in)
}

func missingLabel(b *source.Block, label string) *hcl.Diagnostic {
	return diag.New(b.Header(), fmt.Sprintf("Missing %s for %s", label, b.Type),
		"%s %s block needs a label for its %s between the block type and the opening brace.", diag.Article(b.Type), b.Type, label)
}

func extraLabel(b *source.Block, at hcl.Range, names []string) *hcl.Diagnostic {
	want := "no labels"
	if len(names) > 0 {
		want = fmt.Sprintf("no labels but these: %s", strings.Join(names, ", "))
	}
	return diag.New(at, fmt.Sprintf("Extraneous label for %s", b.Type), "%s %s block has %s. Remove this label.",
		diag.Article(b.Type), b.Type, want)
}

func unknownArgument(b *source.Block, a *source.Attr, shape *BodyShape) *hcl.Diagnostic {
	hint := diag.DidYouMean(a.Name, slices.Concat(SortedKeys(shape.Args), SortedKeys(shape.Blocks)))
	if _, ok := shape.Blocks[a.Name]; ok {
		hint = fmt.Sprintf(" %q is a block here: write it without the equals sign.", a.Name)
	}
	return diag.New(a.Header(), "Unsupported argument", "%s %s block has no argument named \"%s\".%s",
		diag.Article(b.Type), b.Type, diag.Escape(a.Name), hint)
}

func unknownBlock(b, child *source.Block, shape *BodyShape) *hcl.Diagnostic {
	hint := diag.DidYouMean(child.Type, SortedKeys(shape.Blocks))
	if _, ok := shape.Args[child.Type]; ok || shape.Names != nil {
		hint = fmt.Sprintf(" If \"%s\" is meant as an argument, set it with an equals sign.", diag.Escape(child.Type))
	}
	return diag.WithCode(diag.UnknownBlock, diag.New(child.TypeAt(), "Unsupported block type",
		"%s %s block holds no blocks of type \"%s\".%s", diag.Article(b.Type), b.Type, diag.Escape(child.Type), hint))
}

func repeatedBlock(b, child, first *source.Block) *hcl.Diagnostic {
	name := child.Type + " block"
	if child.Type == EscapeBlock {
		name = "escaping block"
	}
	return diag.NewWith(diag.Related{Note: "the first one is here", Range: first.Header()}, child.Header(),
		"Duplicate "+name, "%s %s block may have only one %s. Put the arguments of both into one.", diag.Article(b.Type), b.Type, name)
}

func missingArgument(b *source.Block, name string) *hcl.Diagnostic {
	return diag.New(b.Header(), "Missing required argument", "A primary file must set the argument %q here.", name)
}

func exclusiveArguments(b *source.Block, found []*source.Attr) *hcl.Diagnostic {
	var names []string
	for _, a := range found {
		names = append(names, strconv.Quote(a.Name))
	}
	all := strings.Join(names, " and ")
	last := found[len(found)-1]
	return diag.NewWith(diag.Related{Note: "the other one is here", Range: found[0].Header()}, last.Header(),
		"Invalid combination of "+all, "The arguments %s of one %s block exclude each other. Keep one of them.", all, b.Type)
}

func InvalidName(noun string, at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, fmt.Sprintf("Invalid %s name", diag.Escape(noun)),
		"A name starts with a letter or an underscore and holds only letters, digits, underscores and dashes.")
}

func reservedVariableName(b *source.Block) *hcl.Diagnostic {
	return diag.New(b.LabelAt(0), "Invalid variable name",
		"The name %q has a meaning of its own inside module blocks, so no variable can have it.", b.Labels[0])
}

func removedProvisioner(b *source.Block) *hcl.Diagnostic {
	return diag.New(b.LabelAt(0), fmt.Sprintf("The %q provisioner has been removed", b.Labels[0]),
		"No release that is known has this provisioner any more.")
}

func removedProvisionerWhen(b *source.Block) *hcl.Diagnostic {
	return diag.New(b.Header(), `Invalid "removed.provisioner" block`, "A removed block holds only provisioners that run at destroy time. Add: when = destroy.")
}

func destroyTimeReference(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid reference from destroy provisioner",
		"A provisioner that runs at destroy time, and its connection, may refer to self, count.index and each.key "+
			"only, and to path, terraform and tofu.")
}

func invalidProviderName(name string, at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid provider local name",
		"\"%s\" can't be a provider's local name: use lower case letters, digits and single dashes.", diag.Escape(name))
}

func forEachWithoutAlias(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), `Alias required when using "for_each"`, "Only a provider configuration with an alias can have for_each.")
}

func repeatedElement(b, first *source.Block) *hcl.Diagnostic {
	return diag.NewWith(diag.Related{Note: "the first one is here", Range: first.Header()}, b.Header(), "Duplicate "+
		b.Type, "%s.%s stands twice in one block; the engine drops the whole block then. Remove one.", b.Type, diag.Escape(strings.Join(b.Labels, ".")))
}

func noAsserts(b *source.Block) *hcl.Diagnostic {
	return diag.New(b.Header(), "Zero assert blocks", "A check block needs at least one assert block.")
}

func unsuitable(a *source.Attr, want cty.Type, why string) *hcl.Diagnostic {
	return diag.New(a.Value(), "Unsuitable value type", "The argument %q takes a constant %s: %s.", a.Name,
		want.FriendlyName(), why)
}

func emptyNotice(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid `deprecated` value", "The text may not be empty. It should tell what to use instead.")
}

func invalidConstraint(at hcl.Range) *hcl.Diagnostic {
	return diag.WithCode(diag.InvalidConstraint, diag.New(at, "Invalid version constraint", `This is no version constraint. Write a constant string such as "~> 1.2" or ">= 1.0, < 2.0".`))
}

func constantCondition(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid condition expression",
		"The condition refers to nothing, so it would always give the same answer. Refer to the object that it is to "+
			"test.")
}

func invalidKeyword(a *source.Attr, words []string) *hcl.Diagnostic {
	return diag.New(a.Value(), fmt.Sprintf("Invalid %q keyword", a.Name),
		"The argument %q takes one of the bare words %s.", a.Name, strings.Join(words, ", "))
}

func invalidProviderRef(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid provider configuration reference",
		"A provider configuration is named by its provider's local name, if need be with a dot and an alias: aws.west.")
}

func invalidImportAddress(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid import address expression",
		"The address of a resource is needed here, such as aws_instance.web or aws_instance.web[each.key], in native "+
			"syntax without quotes.")
}

func repeatedProvider(at, first hcl.Range) *hcl.Diagnostic {
	return diag.NewWith(diag.Related{Note: "it is given here", Range: first}, at, "Duplicate provider address",
		"Each provider configuration of the child module can be given only once.")
}

func invalidRequirement(at hcl.Range, why string) *hcl.Diagnostic {
	return diag.New(at, "Invalid required_providers object",
		"An entry of required_providers is not of the right form. %s", why)
}

func ignoreWildcard(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid ignore_changes wildcard", `The form ["*"] is gone. Write: ignore_changes = all.`)
}

func invalidTrigger(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid replace_triggered_by expression",
		"Each element must refer to exactly one resource; apart from that only count.index and each.key are allowed.")
}

func unknownExperiment(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Unknown experiment keyword", "This release has no experiment of that name.")
}

func reservedArgument(a *source.Attr) *hcl.Diagnostic {
	b := a.In
	if b.Type == "data" {
		return diag.New(a.Header(), fmt.Sprintf("Invalid %q attribute", a.Name),
			"A data block inside a check block can't have the argument %q.", a.Name)
	}
	return diag.New(a.Header(), fmt.Sprintf("Reserved argument name in %s block", b.Type),
		"The name %q is kept free for a future version of the language. A provider's own argument of that name goes "+
			"inside a block of type %q.", a.Name, EscapeBlock)
}

func quotedType(a *source.Attr) *hcl.Diagnostic {
	if a.Origin() != nil {
		return diag.New(a.Value(), "Invalid type constraint",
			"This is no type. Write the string without ${ }: string, list(string), map(string), object({...}).")
	}
	return diag.New(a.Value(), "Invalid quoted type constraints",
		"A type is written without quotes: string, list(string), map(string), object({...}).")
}

func unfitDefault(at hcl.Range, err error) *hcl.Diagnostic {
	return diag.New(at, "Invalid default value for variable", "The default does not fit the variable's type: %s.", err)
}

func nullDefault(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid default value for variable", "The default is null, which nullable = false forbids.")
}

func versionWithoutRegistry(source, ver *source.Attr) *hcl.Diagnostic {
	return diag.WithCode(diag.NoRegistrySource, diag.NewWith(diag.Related{Note: "the version is set here",
		Range: ver.Header()}, source.Value(), "Invalid registry module source address", "A version goes with a "+
		"module of a registry only, and this source is none. Remove the version."))
}

func incompatible(a *source.Attr) *hcl.Diagnostic {
	return diag.WithCode(diag.IncompatibleModule, diag.New(a.Value(), "Incompatible module",
		"%s does not meet this version constraint, so it refuses the module.", a.File.Engine))
}

// Incompatible warns of a version constraint that the engine looks at only once it
// has loaded a module.
func Incompatible(a *source.Attr) *hcl.Diagnostic {
	d := incompatible(a)
	d.Severity = hcl.DiagWarning
	return d
}

func AttributeTwice(name string, at, first hcl.Range) *hcl.Diagnostic {
	return diag.NewWith(diag.Related{Note: "it is set here first", Range: first}, at, "Attribute redefined",
		"The argument %q is set twice in one block. Remove one.", name)
}

func experimental(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Header(), "Module uses experimental features",
		"The engine has no experiments that a module could ask for. Remove the argument.")
}

func invalidFlag(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Invalid value for "+a.Name,
		"It must be true or false, and nothing that has to be computed.")
}

func invalidEvent(at hcl.Range, events []string) *hcl.Diagnostic {
	return diag.New(at, "Invalid event", "An event is one of %s, each of them once.", strings.Join(events, ", "))
}

func invalidAction(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Invalid action reference",
		"Each element must refer to one action of this module, such as action.TYPE.NAME.")
}

func emptyTrigger(a *source.Attr) *hcl.Diagnostic {
	return diag.New(a.Value(), "Nothing specified for "+a.Name, "An action_trigger block needs at least one of its %s.",
		a.Name)
}

// TooLarge reports a constant that takes too much work to compute or to write out.
func TooLarge(a *source.Attr) *hcl.Diagnostic { return guard.CostlyAt(a.Value()) }
