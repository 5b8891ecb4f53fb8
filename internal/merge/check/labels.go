package check

import (
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Dropped lists the names inside earlier blocks that none of the replacing blocks has, in source
// order.
func Dropped(blocks, earlier []source.Item) []string {
	kept := map[string]bool{}
	for _, name := range namesInside(blocks) {
		kept[name] = true
	}
	var dropped []string
	for _, name := range namesInside(earlier) {
		if !kept[name] {
			dropped = append(dropped, diag.Escape(name))
			kept[name] = true
		}
	}
	return dropped
}

// droppedAlike is Dropped for earlier blocks whose labels some later block shares. If none shares
// them, the block itself is dropped.
func droppedAlike(blocks, earlier []source.Item) []string {
	labels := map[string]bool{}
	for _, it := range blocks {
		labels[labelsOf(it)] = true
	}
	var alike []source.Item
	for _, it := range earlier {
		if labels[labelsOf(it)] {
			alike = append(alike, it)
		}
	}
	return Dropped(blocks, alike)
}

// labelsOf are the labels of a block, and "" for a dynamic one, which may make any.
func labelsOf(it source.Item) string {
	b, isBlock := it.(*source.Block)
	if !isBlock || b.Type == source.DynamicBlock || len(b.Labels) == 0 {
		return ""
	}
	return b.Address()
}

// namesInside lists the names inside blocks; those of a dynamic block's results are in its content.
func namesInside(items []source.Item) []string {
	var names []string
	for _, it := range items {
		b, ok := it.(*source.Block)
		if !ok {
			continue
		}
		for _, inner := range source.ContentOf(b).Items() {
			names = append(names, inner.Called())
		}
	}
	return names
}
