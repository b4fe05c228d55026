package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/moby/moby/client"
)

// dockerContainer keeps a process in an engine.
type dockerContainer struct {
	d     *docker
	id    string
	conn  net.Conn                   // attached to its streams
	ended client.ContainerWaitResult // asked for before it was started
}

func (c *dockerContainer) wait(ctx context.Context) exit {
	select {
	case res := <-c.ended.Result:
		if res.Error != nil {
			return exit{err: fmt.Errorf("lost the engine: %w", errors.New(res.Error.Message))}
		}
		code := int(res.StatusCode)
		return exit{code: code, oom: c.oom(ctx, code)}
	case err := <-c.ended.Error: // the client sends one at Close, too
		return exit{err: fmt.Errorf("lost the engine: %w", err)}
	}
}

// oom asks again when a SIGKILL has no reason yet: the engine may learn of the exit before it learns of the reason.
func (c *dockerContainer) oom(ctx context.Context, code int) bool {
	ctx, cancel := context.WithTimeout(ctx, settle)
	defer cancel()
	for range 4 {
		got, err := c.d.api.ContainerInspect(ctx, c.id, client.ContainerInspectOptions{})
		if err != nil || got.Container.State == nil {
			return false
		}
		if got.Container.State.OOMKilled || code != 137 {
			return got.Container.State.OOMKilled
		}
		time.Sleep(100 * time.Millisecond)
	}
	return false
}

func (c *dockerContainer) hangUp() { _ = c.conn.Close() }

func (c *dockerContainer) remove() error {
	ctx, cancel := cleaning(context.Background())
	defer cancel()
	return c.d.removeContainer(ctx, c.id)
}
