package render
import ("testing";"runtime";"runtime/pprof";"os";"github.com/tofumerge/tofumerge/internal/load";"github.com/tofumerge/tofumerge/internal/merge")
func TestZZ(t *testing.T){ runtime.MemProfileRate=512; src,_,_:=load.Dir(os.Getenv("MOD"),load.Options{}); m,_:=merge.Files(src,merge.Options{}); fs:=arrange(m); runtime.GC(); runtime.GC(); f,_:=os.Create("/tmp/heap.prof"); pprof.WriteHeapProfile(f); f.Close(); runtime.KeepAlive(m); runtime.KeepAlive(fs) }
