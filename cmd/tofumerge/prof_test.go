package main
import ("testing";"io";"os")
func BenchmarkX(b *testing.B){ for b.Loop() { run([]string{os.Getenv("MOD")}, streams{out: io.Discard, err: io.Discard, env: os.Getenv}) } }
