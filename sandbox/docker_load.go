package sandbox

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/types/jsonstream"
	"github.com/moby/moby/client"
)

// layer is an uncompressed tar in a file, all of an image's contents.
type layer struct {
	file   io.Reader
	size   int64
	digest string // "sha256:..."
}

func (d *docker) hostTag(ctx context.Context, py interpreter) (string, error) {
	stamp, err := py.stamp(ctx)
	if err != nil {
		return "", err
	}
	return "tracemill/host:" + py.Version + "-" + stamp, nil
}

// builtHost finds an image that was built from this interpreter as it is now. The stamp that tells is in the tag and
// not in a label: it has times and paths of this machine, and the image must not.
func (d *docker) builtHost(ctx context.Context, py interpreter) (Image, rootFS, error) {
	tag, err := d.hostTag(ctx, py)
	if err != nil {
		return Image{}, rootFS{}, err
	}
	return d.describe(ctx, imageHost, tag)
}

func (d *docker) buildHost(ctx context.Context, py interpreter) (Image, rootFS, error) {
	image, root, err := d.tryBuildHost(ctx, py)
	if err != nil {
		return Image{}, rootFS{}, fmt.Errorf("build an image from %s: %w", py.Executable, err)
	}
	return image, root, nil
}

func (d *docker) tryBuildHost(ctx context.Context, py interpreter) (image Image, root rootFS, err error) {
	tag, err := d.hostTag(ctx, py)
	if err != nil {
		return image, root, err
	}
	files, err := hostTree(ctx, py)
	if err != nil {
		return image, root, err
	}
	file, err := os.CreateTemp("", "tracemill-image-*.tar")
	if err != nil {
		return image, root, fmt.Errorf("make a temporary file: %w", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	hash := sha256.New()
	content, err := writeLayer(io.MultiWriter(file, hash), py, files)
	if err != nil {
		return image, root, err
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return image, root, fmt.Errorf("rewind %s: %w", file.Name(), err)
	}
	labels := map[string]string{
		labelMark: "1", labelPython: py.inside(py.Executable), labelVersion: py.Version, labelDigest: content,
	}
	if err := d.loadLayer(ctx, layer{file, size, digestOf(hash.Sum(nil))}, labels, tag); err != nil {
		return image, root, err
	}
	if image, root, err = d.describe(ctx, imageHost, tag); err != nil {
		return image, root, err
	}
	inside, err := d.ask(ctx, root, image.Python)
	if err == nil && inside.Version != py.Version {
		err = fmt.Errorf("the Python inside is %s, not %s", inside.Version, py.Version)
	}
	if err != nil {
		clean, cancel := cleaning(ctx)
		defer cancel()
		_, _ = d.api.ImageRemove(clean, tag, client.ImageRemoveOptions{})
		return image, root, fmt.Errorf("it does not run: %w", err)
	}
	return image, root, nil
}

func digestOf(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// loadLayer makes an image of one layer. It goes in as docker save would have written it, because the import call
// puts the present time into an image, and with it into the image's id.
func (d *docker) loadLayer(ctx context.Context, l layer, labels map[string]string, tag string) error {
	config, err := json.Marshal(map[string]any{
		"architecture": runtime.GOARCH,
		"os":           "linux",
		"created":      epoch,
		"config":       map[string]any{"Labels": labels},
		"rootfs":       map[string]any{"type": "layers", "diff_ids": []string{l.digest}},
		"history":      []map[string]any{{"created": epoch, "created_by": "tracemill"}},
	})
	if err != nil {
		return fmt.Errorf("encode image config: %w", err)
	}
	sum := sha256.Sum256(config)
	configName := hex.EncodeToString(sum[:]) + ".json"
	manifest, err := json.Marshal([]savedImage{{Config: configName, RepoTags: []string{tag}, Layers: []string{"layer.tar"}}})
	if err != nil {
		return fmt.Errorf("encode image manifest: %w", err)
	}
	r, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		out := tar.NewWriter(w)
		err := addFile(out, "layer.tar", l.size, l.file)
		if err == nil {
			err = addFile(out, configName, int64(len(config)), bytes.NewReader(config))
		}
		if err == nil {
			err = addFile(out, "manifest.json", int64(len(manifest)), bytes.NewReader(manifest))
		}
		if err == nil {
			err = out.Close()
		}
		w.CloseWithError(err)
	}()
	err = d.load(ctx, r)
	_ = r.Close() // the writer must not outlive us, whatever the engine has read
	<-done
	return err
}

func addFile(w *tar.Writer, name string, size int64, content io.Reader) error {
	err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: size, ModTime: epoch})
	if err != nil {
		return err
	}
	_, err = io.Copy(w, content)
	return err
}

// load sends what docker save wrote.
func (d *docker) load(ctx context.Context, archive io.Reader) error {
	result, err := d.api.ImageLoad(ctx, archive, client.ImageLoadWithQuiet(true))
	if err != nil {
		return d.final(fmt.Errorf("load image: %w", err))
	}
	defer result.Close()
	for messages := json.NewDecoder(result); ; {
		var message jsonstream.Message
		switch err := messages.Decode(&message); {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("load image: %w", err)
		case message.Error != nil:
			return d.final(fmt.Errorf("load image: %w", message.Error))
		}
	}
}

// tarball makes an image of an archive: what docker save wrote, or a whole root file system.
func (d *docker) tarball(ctx context.Context, path string) (Image, rootFS, error) {
	name := imageTar + path
	found, err := readArchive(path)
	if err != nil {
		return Image{}, rootFS{}, fmt.Errorf("image %s: %w", name, err)
	}
	ref := found.ref()
	image, root, err := d.describe(ctx, name, ref)
	if !errdefs.IsNotFound(err) {
		return image, root, err
	}
	file, err := openArchive(path)
	if err != nil {
		return Image{}, rootFS{}, fmt.Errorf("image %s: %w", name, err)
	}
	defer file.Close()
	if found.saved != nil {
		err = d.load(ctx, file)
	} else {
		err = d.loadLayer(ctx, layer{file, found.size, found.digest}, map[string]string{labelMark: "1", labelDigest: found.digest}, ref)
	}
	if err != nil {
		return Image{}, rootFS{}, fmt.Errorf("image %s: %w", name, err)
	}
	image, root, err = d.describe(ctx, name, ref)
	if errdefs.IsNotFound(err) && found.saved != nil && len(found.saved.RepoTags) > 0 {
		// An engine that keeps its images with containerd knows them by another digest.
		return d.describe(ctx, name, found.saved.RepoTags[0])
	}
	return image, root, err
}
