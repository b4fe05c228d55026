package sandbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
)

// owned is a container or a volume that carries our mark.
type owned struct {
	owner   owner
	running bool
}

// sweep removes what dead builds of this machine left. A failure is only worth a notice: nothing depends on it.
func (e *engine) sweep(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, cleanTimeout)
	defer cancel()
	err := e.removeAll(ctx, client.Filters{}.Add("label", labelMark+"=1"), func(o owned) bool {
		return o.owner.isDead(e.me) || !o.running && o.owner.isPast(e.me)
	})
	if err != nil && ctx.Err() == nil {
		e.log(fmt.Sprintf("docker: leftovers of an earlier build could not all be removed: %v", err))
	}
}

// removeAll removes what matches the filters and is wanted gone; containers first, as they hold the volumes.
func (e *engine) removeAll(ctx context.Context, filters client.Filters, unwanted func(owned) bool) error {
	containers, err := e.api.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: filters})
	if err != nil {
		return fmt.Errorf("list containers: %w", err)
	}
	var errs []error
	for _, c := range containers.Items {
		running := c.State == container.StateRunning || c.State == container.StatePaused
		if unwanted(owned{ownerOf(c.Labels), running}) {
			errs = append(errs, e.removeContainer(ctx, c.ID))
		}
	}
	volumes, err := e.api.VolumeList(ctx, client.VolumeListOptions{Filters: filters})
	if err != nil {
		return errors.Join(append(errs, fmt.Errorf("list volumes: %w", err))...)
	}
	for _, v := range volumes.Items {
		// An engine refuses to remove a volume that a container still has.
		if unwanted(owned{owner: ownerOf(v.Labels)}) {
			errs = append(errs, e.removeVolume(ctx, v.Name))
		}
	}
	return errors.Join(errs...)
}
