//go:build js && wasm

package main

import "syscall/js"

// main gives the page a function, tofumerge, that answers requests, and tells it by calling ready. It must
// not return, or the function would stop working.
func main() {
	s := &session{}
	js.Global().Set("tofumerge", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(s.answer([]byte(args[0].String())))
	}))
	js.Global().Get("ready").Invoke()
	select {}
}
