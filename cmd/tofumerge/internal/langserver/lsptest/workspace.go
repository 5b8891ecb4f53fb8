package lsptest

import (
	"encoding/json"
	"fmt"
)

// A result is the newest result that a client has for a document.
type result struct {
	id    string
	items []Diagnostic
}

// PullWorkspace asks for the diagnostics of the whole workspace, and returns them by URI. It
// names the results that the client has. With a token, it asks for partial results.
func (c *Client) PullWorkspace(token any) (map[string][]Diagnostic, error) {
	c.mutex.Lock()
	previous := []map[string]string{}
	for uri, r := range c.results {
		previous = append(previous, map[string]string{"uri": uri, "value": r.id})
	}
	c.parts = nil
	c.mutex.Unlock()
	params := map[string]any{"previousResultIds": previous}
	if token != nil {
		params["partialResultToken"] = token
	}
	var last workspaceReport
	if err := c.Try("workspace/diagnostic", params, &last); err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.results == nil {
		c.results = map[string]result{}
	}
	if token == nil && len(c.parts) > 0 || token != nil && len(last.Items) > 0 {
		return nil, fmt.Errorf("with token %v: %d partial results, and %d items in the answer", token, len(c.parts), len(last.Items))
	}
	named := map[string]bool{}
	for _, part := range append(c.parts, last) {
		for _, item := range part.Items {
			had, isKnown := c.results[item.URI]
			switch {
			case named[item.URI]:
				return nil, fmt.Errorf("two reports on %s", item.URI)
			case item.Kind == "full":
				c.results[item.URI] = result{item.ResultID, item.Items}
			case !isKnown || had.id != item.ResultID:
				return nil, fmt.Errorf("a report of kind %q on %s, but the client's result is %q", item.Kind, item.URI, had.id)
			}
			named[item.URI] = true
		}
	}
	all := map[string][]Diagnostic{}
	for uri, r := range c.results {
		if !named[uri] {
			return nil, fmt.Errorf("no report on %s, for which the client has a result", uri)
		}
		all[uri] = r.items
	}
	return all, nil
}

type workspaceReport struct {
	Items []struct {
		Kind     string
		ResultID string
		URI      string
		Items    []Diagnostic
	}
}

// takePart stores a partial result.
func (c *Client) takePart(params json.RawMessage) {
	var p struct{ Value workspaceReport }
	if json.Unmarshal(params, &p) != nil || p.Value.Items == nil {
		return // the progress of something else
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.parts = append(c.parts, p.Value)
}

// WaitForRefresh waits until the server has asked the client to ask for diagnostics again.
func (c *Client) WaitForRefresh() {
	c.tb.Helper()
	c.Wait("workspace/diagnostic/refresh", func(map[string]Published) bool { return c.refreshes > 0 })
}
