package command

import "testing"

// Of very many addresses, completion shows how they go on up to the next dot.
func TestNextEnd(t *testing.T) {
	const size = "aws_instance.web.disk[1].size"
	for start, want := range map[string]string{
		"aws_instance.w": "aws_instance.web.", "aws_instance.web.": "aws_instance.web.disk", "aws_instance.web.disk[1].s": size,
		"aws_instance.web.disk[": "aws_instance.web.disk[1].", "": "aws_instance.",
	} {
		if got := nextCompletion(size, start); got != want {
			t.Errorf("%s goes on to %s, want %s", start, got, want)
		}
	}
}
