package sandbox

import "context"

// Unsandboxed is the name of the runtime that isolates nothing.
const Unsandboxed = "none"

// Isolation says what a runtime isolates by: its name and, of an engine, the OCI runtime: "docker/runc".
func Isolation(ctx context.Context, rt Runtime) string {
	if d, ok := rt.(*docker); ok {
		if oci := d.ociRuntime(ctx); oci != "" {
			return d.Name() + "/" + oci
		}
	}
	return rt.Name()
}
