package sandbox

// BwrapOptions say which image bubblewrap runs, and under which filter. The zero value takes the host's python3.
type BwrapOptions struct {
	Image    string       // "auto" (which is "host") or "tar:PATH" of a root file system; empty: "auto"
	Python   string       // the interpreter that "host" copies; empty: python3 on PATH
	CacheDir string       // where root file systems are kept; empty: tracemill in the user's cache directory
	Seccomp  string       // "default" or a profile's path, as for Docker; empty: "default"
	User     uint32       // where Tracemill is root: the user to run bubblewrap as, which has no power at all; 0: root
	Log      func(string) // notices for the user; may be called from several goroutines
}
