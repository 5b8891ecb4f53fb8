package lsptest

import "encoding/json"

// Capabilities are the capabilities of an editor that supports everything the server can do.
func Capabilities(encodings ...string) map[string]any {
	refresh := map[string]any{"refreshSupport": true}
	dynamic := map[string]any{"dynamicRegistration": true}
	return map[string]any{
		"general": map[string]any{"positionEncodings": encodings},
		"window":  map[string]any{"workDoneProgress": true, "showDocument": map[string]any{"support": true}},
		"workspace": map[string]any{
			"applyEdit": true, "workspaceFolders": true, "configuration": true,
			"workspaceEdit":          map[string]any{"documentChanges": true},
			"didChangeConfiguration": dynamic, "didChangeWatchedFiles": dynamic,
			"codeLens": refresh, "inlayHint": refresh, "diagnostics": refresh,
		},
		"textDocument": map[string]any{
			"synchronization":    map[string]any{"didSave": true},
			"publishDiagnostics": map[string]any{"versionSupport": true, "relatedInformation": true, "codeDescriptionSupport": true, "dataSupport": true, "tagSupport": map[string]any{"valueSet": []int{1, 2}}},
			"diagnostic":         map[string]any{"dynamicRegistration": false, "relatedDocumentSupport": true},
			"hover":              map[string]any{"contentFormat": []string{"markdown", "plaintext"}},
			"definition":         map[string]any{"linkSupport": true},
			"inlayHint":          map[string]any{"resolveSupport": map[string]any{"properties": []string{"tooltip"}}},
			"codeLens":           map[string]any{},
			"documentHighlight":  map[string]any{},
			"references":         map[string]any{},
			"completion":         map[string]any{"completionItem": map[string]any{"snippetSupport": true, "documentationFormat": []string{"markdown"}}},
			"codeAction": map[string]any{
				"codeActionLiteralSupport": map[string]any{"codeActionKind": map[string]any{"valueSet": []string{"quickfix", "refactor", "source", "source.fixAll"}}},
				"dataSupport":              true, "resolveSupport": map[string]any{"properties": []string{"edit"}}, "isPreferredSupport": true,
			},
		},
	}
}

// Initialize starts a session with directories as workspace folders. Without encodings, the
// client names none, which means utf-16.
func (c *Client) Initialize(dirs []string, encodings ...string) {
	c.tb.Helper()
	capabilities := Capabilities(encodings...)
	if len(encodings) == 0 {
		delete(capabilities, "general")
	}
	c.InitializeWith(dirs, capabilities, nil)
}

// InitializeWith is Initialize with the given capabilities and initialization options.
func (c *Client) InitializeWith(dirs []string, capabilities map[string]any, options any) {
	c.tb.Helper()
	folders := []any{}
	for _, dir := range dirs {
		folders = append(folders, map[string]any{"uri": URI(dir), "name": dir})
	}
	params := map[string]any{
		"processId": nil, "rootUri": nil, "capabilities": capabilities, "workspaceFolders": folders,
		"clientInfo": map[string]any{"name": "lsptest"}, "initializationOptions": options,
	}
	if len(dirs) > 0 {
		params["rootUri"] = URI(dirs[0])
	}
	c.Call("initialize", params, &c.Server)
	var encoding string
	_ = json.Unmarshal(c.Server.Capabilities["positionEncoding"], &encoding)
	if encoding != "" {
		c.Encoding = encoding
	}
	c.Notify("initialized", map[string]any{})
}

// Shutdown ends the session as an editor does, and waits until the server has ended.
func (c *Client) Shutdown() {
	c.tb.Helper()
	c.Call("shutdown", nil, nil)
	c.Notify("exit", nil)
	c.Wait("the end", func(map[string]Published) bool { return c.gone != nil })
}
