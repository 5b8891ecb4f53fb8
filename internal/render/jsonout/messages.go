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
		Detail:   "This value has bytes that are not UTF-8. JSON can't hold them, and each becomes U+FFFD. Use base64decode, or print native syntax.",
		Subject:  a.Value().Ptr(),
	}
}

// interleaved warns of an order of nested blocks that takes repeated properties.
func interleaved(b, before *source.Block) *hcl.Diagnostic {
	return diag.WithRelated(diag.Related{Note: "previous block", Range: before.Header()}, &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Repeated JSON property",
		Detail:   fmt.Sprintf("Static and dynamic %s blocks alternate here, and JSON keeps their order only with repeated property names. %s reads them in order; other programs may keep only the last one. Group the static blocks, or print native syntax.", diag.Escape(b.Called()), b.File.Engine.Product.Title()),
		Subject:  b.Header().Ptr(),
	})
}

// besideOther warns of an argument and a nested block of one name in one body.
func besideOther(it source.Item) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Repeated JSON property",
		Detail:   fmt.Sprintf("%s is an argument and also a nested block here, and both become JSON properties of that name. Keep the one in the provider's schema, or print native syntax.", diag.Escape(it.Called())),
		Subject:  it.Header().Ptr(),
	}
}

// expressionInLiteral warns of an expression that JSON can't express.
func expressionInLiteral(a *source.Attr) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Expression in a constant",
		Detail:   fmt.Sprintf("%s reads a JSON string literally here, and so JSON can't hold this expression. Write a constant, or print native syntax.", a.File.Engine),
		Subject:  a.Value().Ptr(),
	}
}

// refusedInJSON warns of a value that an engine refuses in JSON.
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
		Detail:   "In JSON this argument looks like dynamic blocks. Unless the provider has an argument called dynamic, the engine refuses it here and reads dynamic blocks there. Write dynamic blocks, or print native syntax.",
		Subject:  a.Header().Ptr(),
	}
}

// wrongDynamic warns of a dynamic block without a type, or with more than one.
func wrongDynamic(b *source.Block) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Dynamic block without one label",
		Detail:   "A dynamic block needs one label, the type of its blocks. The engine refuses this one, but may accept it in JSON and read something else. Give it one label, or print native syntax.",
		Subject:  b.Header().Ptr(),
	}
}
