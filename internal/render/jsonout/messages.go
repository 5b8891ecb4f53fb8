package jsonout

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// notUTF8 warns of a value that is not text.
func notUTF8(a *source.Attr) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Invalid character encoding",
		Detail:   "This value holds bytes that are not UTF-8, which JSON can't say; each becomes U+FFFD. Use base64decode, or print native syntax.",
		Subject:  a.Value().Ptr(),
	}
}

// interleaved warns of an order of nested blocks that takes repeated properties.
func interleaved(b, before *source.Block) *hcl.Diagnostic {
	return diag.WithRelated(diag.Related{Note: "this one comes before it", Range: before.Header()}, &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Repeated JSON property",
		Detail:   fmt.Sprintf("Static and dynamic blocks of type \"%s\" take turns here, which JSON can say only by repeating the names of properties. The engine reads them in order, but other programs may keep the last one only. Put the static blocks together, or print native syntax.", diag.Escape(b.Called())),
		Subject:  b.Header().Ptr(),
	})
}

// besideOther warns of an argument and a nested block of one name in one body.
func besideOther(it source.Item) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Repeated JSON property",
		Detail:   fmt.Sprintf("This body has an argument and a nested block called \"%s\". JSON writes both as properties of that name and can't tell them apart. Keep the one that the provider's schema knows, or print native syntax.", diag.Escape(it.Called())),
		Subject:  it.Header().Ptr(),
	}
}

// expressionInLiteral warns of an expression that JSON can't say.
func expressionInLiteral(a *source.Attr) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Expression in a constant",
		Detail:   fmt.Sprintf("%s takes a string in JSON here for the text that it is, so that JSON can't say this expression. Write a constant, or print native syntax.", a.File.Engine),
		Subject:  a.Value().Ptr(),
	}
}

// refusedInJSON warns of what an engine refuses as soon as it is written in JSON.
func refusedInJSON(d *hcl.Diagnostic) *hcl.Diagnostic {
	d.Severity = hcl.DiagWarning
	d.Detail += " Write a constant, or print native syntax."
	return d
}

// likeDynamic warns of an argument that would be dynamic blocks in JSON.
func likeDynamic(a *source.Attr) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Argument like a dynamic block",
		Detail:   "Unless the provider has an argument called \"dynamic\", the engine refuses this one, and reads dynamic blocks in JSON that look the same. Write a dynamic block if that is meant, or print native syntax.",
		Subject:  a.Header().Ptr(),
	}
}

// wrongDynamic warns of a dynamic block without a type, or with more than one.
func wrongDynamic(b *source.Block) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Dynamic block without one label",
		Detail:   "A dynamic block has one label, the type of the blocks that it makes. The engine refuses this one, but in JSON it may read something else. Give it one label, or print native syntax.",
		Subject:  b.Header().Ptr(),
	}
}
