package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/moby/moby/client"

	"github.com/tracemill/tracemill/sandbox/seccomp"
)

// securityOptions is what every container is created with. The API takes a profile's text, not its path.
func (e *engine) securityOptions(setting string) ([]string, error) {
	options := []string{"no-new-privileges"}
	profile, err := seccomp.Load(setting)
	if err != nil || profile == nil {
		return options, err
	}
	// Podman takes a path on its own machine, where we have no file, and has a default of its own.
	if (setting == "" || setting == seccomp.Default) && e.podman {
		e.log("podman cannot be given a seccomp profile over its API: its own default is used")
		return options, nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, profile); err != nil {
		return nil, fmt.Errorf("seccomp profile %s: %w", setting, err)
	}
	return append(options, "seccomp="+compact.String()), nil
}

func isPodman(ctx context.Context, api *client.Client) bool {
	version, err := api.ServerVersion(ctx, client.ServerVersionOptions{})
	if err != nil {
		return false
	}
	for _, c := range version.Components {
		if strings.Contains(c.Name, "Podman") {
			return true
		}
	}
	return false
}
