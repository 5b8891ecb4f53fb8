package spelling

import "testing"

func TestNearest(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"reuion", "region"}, {"region", "region"}, {"zone", ""}, {"r", ""},
	} {
		if got := Nearest(test.name, []string{"region", "size"}); got != test.want {
			t.Errorf("Nearest(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}
