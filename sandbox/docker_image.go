package sandbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"
)

// Labels of an image that this package built, so that it need not be run to be known.
const (
	labelPython  = "tracemill.python"
	labelVersion = "tracemill.version"
	labelDigest  = "tracemill.digest"
)

// What DockerOptions.Image may be, but for a reference.
const (
	imageAuto = "auto"
	imageHost = "host"
	imageTar  = "tar:"
)

const (
	// stallAuto and stallPull bound a pull's silence, not its length: networks are slow, and some swallow packets.
	// With "auto" there is something else to do than wait.
	stallAuto = 10 * time.Second
	stallPull = time.Minute
	// fallbackMinor is the Python of "auto" where there is none to ask: the oldest that is supported upstream for
	// long enough, and that most code runs on.
	fallbackMinor = "3.12"
)

// EnsureImage finds, loads, pulls or builds the image that opts name.
func EnsureImage(ctx context.Context, opts DockerOptions) (Image, error) {
	d, err := OpenDocker(ctx, opts)
	if err != nil {
		return Image{}, err
	}
	return d.Image(), d.Close()
}

// ListImages lists the images that this package has built in an engine. Those made from a tar are run, to be known; Python and
// Version are empty where that fails.
func ListImages(ctx context.Context, opts DockerOptions) ([]Image, error) {
	e, err := connect(ctx, opts)
	if err != nil {
		return nil, err
	}
	d := newDocker(e, opts)
	defer d.Close()
	if d.security, err = e.securityOptions(opts.Seccomp); err != nil {
		return nil, err
	}
	list, err := e.api.ImageList(ctx, client.ImageListOptions{Filters: client.Filters{}.Add("label", labelMark+"=1")})
	if err != nil {
		return nil, fmt.Errorf("list images: %w", err)
	}
	var images []Image
	for _, item := range list.Items {
		for _, tag := range item.RepoTags {
			image := labelled(tag, item.ID, item.Labels)
			if image.Version == "" {
				if known, _, err := d.describe(ctx, tag, item.ID); err == nil {
					image = known
				}
			}
			images = append(images, image)
		}
	}
	slices.SortFunc(images, func(a, b Image) int { return strings.Compare(a.Name, b.Name) })
	return images, nil
}

func labelled(name, id string, labels map[string]string) Image {
	image := Image{Name: name, ID: id, Python: labels[labelPython], Version: labels[labelVersion]}
	if digest := labels[labelDigest]; digest != "" {
		image.ID = digest
	}
	return image
}

func (d *docker) resolve(ctx context.Context, opts DockerOptions) (Image, rootFS, error) {
	name, ref := opts.Image, ""
	if name == "" {
		name = imageAuto
	}
	name, ref, _ = strings.Cut(name, ":")
	switch {
	case name == imageAuto:
		return d.auto(ctx, ref)
	case name == imageHost && ref == "":
		return d.host(ctx)
	case name+":" == imageTar:
		return d.tarball(ctx, ref)
	}
	ref = opts.Image
	image, root, err := d.describe(ctx, ref, ref)
	if !errdefs.IsNotFound(err) {
		return image, root, err
	}
	d.log("pulling image " + ref)
	if err := d.pull(ctx, ref, stallPull); err != nil {
		return Image{}, rootFS{}, fmt.Errorf("image %s is not in the engine, and it cannot be pulled: %w: %w; %s",
			ref, ErrUnavailable, err, `use "host" to build one from this machine's Python, "tar:PATH" for an archive, or docker pull`)
	}
	return d.describe(ctx, ref, ref)
}

// auto prefers what the engine already has, so that a build that is resumed finds the image that it began with.
func (d *docker) auto(ctx context.Context, ref string) (Image, rootFS, error) {
	py, noPython := findInterpreter(ctx, d.opts.Python)
	if ref == "" {
		minor := fallbackMinor
		if noPython == nil {
			minor = py.minor()
		}
		ref = "python:" + minor + "-slim"
	}
	image, root, err := d.describe(ctx, ref, ref)
	if !errdefs.IsNotFound(err) {
		return image, root, err
	}
	if noPython == nil {
		if image, root, err = d.builtHost(ctx, py); !errdefs.IsNotFound(err) {
			return image, root, err
		}
	}
	d.log("pulling image " + ref)
	noPull := d.pull(ctx, ref, stallAuto)
	if noPull == nil {
		return d.describe(ctx, ref, ref)
	}
	if noPython != nil || ctx.Err() != nil {
		return Image{}, rootFS{}, fmt.Errorf("no image: %w: %w", ErrUnavailable, errors.Join(noPull, noPython))
	}
	d.log(fmt.Sprintf("cannot pull %s (%v): building an image from %s, Python %s", ref, noPull, py.Executable, py.Version))
	return d.buildHost(ctx, py)
}

func (d *docker) host(ctx context.Context) (Image, rootFS, error) {
	py, err := findInterpreter(ctx, d.opts.Python)
	if err != nil {
		return Image{}, rootFS{}, fmt.Errorf("image %s: %w", imageHost, err)
	}
	image, root, err := d.builtHost(ctx, py)
	if !errdefs.IsNotFound(err) {
		return image, root, err
	}
	d.log(fmt.Sprintf("building an image from %s, Python %s", py.Executable, py.Version))
	return d.buildHost(ctx, py)
}

// present returns what to start from. An image that was removed meanwhile is got again, if it is the same one: the build's
// results are those of its interpreter.
func (d *docker) present(ctx context.Context) (rootFS, error) {
	d.rooted.Lock()
	defer d.rooted.Unlock()
	err := d.retry(ctx, "look for image "+d.image.Name, func(ctx context.Context) error {
		_, err := d.api.ImageInspect(ctx, d.root.ref)
		return err
	})
	if !errdefs.IsNotFound(err) {
		return d.root, err
	}
	d.log(fmt.Sprintf("image %s was removed from the engine; getting it again", d.image.Name))
	image, root, err := d.resolve(ctx, d.opts)
	if err == nil && image.ID != d.image.ID {
		err = fmt.Errorf("what there is now is %s", image.ID)
	}
	if err != nil {
		return rootFS{}, fmt.Errorf("image %s (%s) was removed from the engine: %w: %w; load or pull it again, then run the same command again: what is done is kept",
			d.image.Name, d.image.ID, ErrUnavailable, err)
	}
	d.root = root
	return root, nil
}

// pull gives up when nothing was heard for a while.
func (d *docker) pull(ctx context.Context, ref string, silence time.Duration) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := time.AfterFunc(silence, func() { cancel(fmt.Errorf("nothing heard for %s", silence)) })
	defer quiet.Stop()
	pull := func() error {
		messages, err := d.api.ImagePull(ctx, ref, client.ImagePullOptions{})
		if err != nil {
			return err
		}
		for message, err := range messages.JSONMessages(ctx) {
			if err != nil {
				return err
			}
			if message.Error != nil {
				return message.Error
			}
			quiet.Reset(silence)
		}
		return nil
	}
	err := pull()
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return err
}

// describe inspects an image, and runs it once unless its labels say which Python it has.
func (d *docker) describe(ctx context.Context, name, ref string) (Image, rootFS, error) {
	got, err := d.api.ImageInspect(ctx, ref)
	if err != nil {
		return Image{}, rootFS{}, fmt.Errorf("inspect image %s: %w", ref, err)
	}
	root := rootFS{ref: got.ID}
	image := Image{Name: name, ID: got.ID}
	if got.Config != nil {
		root.env = got.Config.Env
		for path := range got.Config.Volumes {
			root.volumes = append(root.volumes, path)
		}
		if got.Config.Labels[labelMark] == "1" {
			image = labelled(name, got.ID, got.Config.Labels)
		}
	}
	if image.Python != "" {
		return image, root, nil
	}
	py, err := d.ask(ctx, root, "")
	if err != nil {
		return Image{}, rootFS{}, fmt.Errorf("image %s: run its python3: %w", name, err)
	}
	image.Python, image.Version = py.Executable, py.Version
	return image, root, nil
}

// ask runs the interpreter at path, or the python3 on the image's own PATH.
func (d *docker) ask(ctx context.Context, root rootFS, path string) (interpreter, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	spec := probe(path)
	for _, pair := range root.env {
		if key, value, _ := strings.Cut(pair, "="); key == "PATH" || key == "LD_LIBRARY_PATH" {
			spec.Env[key] = value
		}
	}
	var p *process
	err := d.retry(ctx, "probe", func(ctx context.Context) (err error) {
		p, err = d.start(ctx, root, spec, "")
		return err
	})
	if err != nil {
		return interpreter{}, err
	}
	return p.answer(ctx)
}
