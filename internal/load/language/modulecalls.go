package language

import (
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// HasModuleSource reports whether a top-level block of a type may have an argument that is the
// source of a module call.
func HasModuleSource(e engine.Release, typ string) bool {
	shape, _ := Of(e).Block(typ)
	return shape.CallsModule()
}

// CallsModule reports whether blocks of a shape call modules.
func (s BlockShape) CallsModule() bool {
	return s.Body.argOf(kindSource) != "" || s.Body.argOf(kindFixedSource) != ""
}

// IsModuleSource reports whether an argument is the source of a module call.
func IsModuleSource(a *source.Attr) bool { return isOfModuleCall(a) && isSourceKind(a.Name, a) }

// IsModuleVersion reports whether an argument is the version of a module call.
func IsModuleVersion(a *source.Attr) bool { return isOfModuleCall(a) && a.Name == "version" }

// isOfModuleCall reports whether an argument is one of a module call itself.
func isOfModuleCall(a *source.Attr) bool {
	return a.Within() != nil && a.Within().Within() == nil && isSourceKind("source", a)
}

func isSourceKind(name string, a *source.Attr) bool {
	shape, _ := Of(a.File.Engine).Block(a.Within().Type)
	arg, ok := shape.Body.Arg(name)
	return ok && (arg.Kind == kindSource || arg.Kind == kindFixedSource)
}
