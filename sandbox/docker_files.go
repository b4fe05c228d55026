package sandbox

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/client"
)

// fileVolumes puts a Spec's files where the engine is. Bind mounts need the engine to be on this machine; a copy
// into a container is refused when its root is read-only; a layer on the image would change the image's identity and
// leave images behind; and sending the files over stdin needs a place inside that stays writable. So the files go
// into a volume, through a container that is created for the copy and never started, and every sandbox with the same
// files mounts that volume read-only: not even root inside can write to it.
type fileVolumes struct {
	d     *docker
	mu    sync.Mutex
	names map[[sha256.Size]byte]string
}

// volume returns the name of a volume that holds files, or "" when there are none.
func (v *fileVolumes) volume(ctx context.Context, root rootFS, files map[string][]byte) (string, error) {
	if len(files) == 0 {
		return "", nil
	}
	key := digestFiles(files)
	v.mu.Lock()
	defer v.mu.Unlock()
	if name, ok := v.names[key]; ok {
		got, err := v.d.api.VolumeInspect(ctx, name, client.VolumeInspectOptions{})
		switch {
		case errdefs.IsNotFound(err):
			v.d.log("the volume of the sandbox's files was removed; filling another")
		case err != nil:
			return "", fmt.Errorf("inspect volume %s: %w", name, err)
		case got.Volume.Labels[labelRuntime] == v.d.id: // and not an empty one that the engine made in its place
			return name, nil
		}
	}
	name, err := v.fill(ctx, root, files)
	if err != nil {
		return "", err
	}
	if v.names == nil {
		v.names = map[[sha256.Size]byte]string{}
	}
	v.names[key] = name
	return name, nil
}

func digestFiles(files map[string][]byte) (key [sha256.Size]byte) {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, part := range [][]byte{[]byte(name), files[name]} {
			_ = binary.Write(h, binary.LittleEndian, uint64(len(part)))
			h.Write(part)
		}
	}
	h.Sum(key[:0])
	return key
}

func (v *fileVolumes) fill(ctx context.Context, root rootFS, files map[string][]byte) (name string, err error) {
	content, err := tarFiles(files)
	if err != nil {
		return "", err
	}
	labels := v.d.labels("files")
	made, err := v.d.api.VolumeCreate(ctx, client.VolumeCreateOptions{
		Name: "tracemill-" + v.d.id + "-" + strings.ToLower(rand.Text()[:8]), Labels: labels,
	})
	if err != nil {
		return "", fmt.Errorf("create volume for files: %w", err)
	}
	clean, cancel := cleaning(ctx)
	defer cancel()
	defer func() {
		if err != nil {
			err = errors.Join(err, v.d.removeVolume(clean, made.Volume.Name))
		}
	}()
	filler, err := v.d.api.ContainerCreate(ctx, client.ContainerCreateOptions{
		Config: &container.Config{Image: root.ref, Entrypoint: []string{"/"}, Labels: labels},
		HostConfig: &container.HostConfig{
			NetworkMode: "none",
			LogConfig:   container.LogConfig{Type: "none"},
			Mounts: []mount.Mount{{Type: mount.TypeVolume, Source: made.Volume.Name, Target: FilesDir,
				VolumeOptions: &mount.VolumeOptions{NoCopy: true}}},
		},
	})
	if err != nil {
		return "", fmt.Errorf("create container to copy files: %w", err)
	}
	_, err = v.d.api.CopyToContainer(ctx, filler.ID, client.CopyToContainerOptions{DestinationPath: FilesDir, Content: content})
	if err != nil {
		err = fmt.Errorf("copy files to %s: %w", FilesDir, err)
	}
	return made.Volume.Name, errors.Join(err, v.d.removeContainer(clean, filler.ID))
}

// tarFiles makes everything readable to every user, and writable by none but the absent owner.
func tarFiles(files map[string][]byte) (io.Reader, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	made := map[string]bool{".": true}
	put := func(h *tar.Header, content []byte) error {
		h.ModTime = epoch
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		_, err := w.Write(content)
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for i, c := range name {
			if dir := name[:i]; c == '/' && !made[dir] {
				made[dir] = true
				if err := put(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755}, nil); err != nil {
					return nil, fmt.Errorf("pack %s: %w", dir, err)
				}
			}
		}
		h := &tar.Header{Typeflag: tar.TypeReg, Name: strings.TrimPrefix(path.Clean(name), "/"), Mode: 0o444, Size: int64(len(files[name]))}
		if err := put(h, files[name]); err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("pack files: %w", err)
	}
	return &out, nil
}
