package sandbox

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// savedImage is an entry of the manifest.json that docker save writes.
type savedImage struct {
	Config   string
	RepoTags []string
	Layers   []string
}

// archive is what a tar turned out to be.
type archive struct {
	saved  *savedImage // nil: a root file system
	digest string      // of the uncompressed tar
	size   int64
}

// ref is what the engine knows, or will know, the image by.
func (a archive) ref() string {
	if a.saved != nil {
		return "sha256:" + strings.TrimSuffix(path.Base(a.saved.Config), ".json")
	}
	return "tracemill/tar:" + strings.TrimPrefix(a.digest, "sha256:")[:16]
}

// maxManifest bounds a manifest.json; real ones are far below a kilobyte for each image.
const maxManifest = 1 << 20

// readArchive reads all of a tar: the manifest of a saved image may come last.
func readArchive(name string) (archive, error) {
	file, err := openArchive(name)
	if err != nil {
		return archive{}, err
	}
	defer file.Close()
	hash := sha256.New()
	counted := &counter{r: io.TeeReader(file, hash)}
	a := archive{}
	entries := 0
	for files := tar.NewReader(counted); ; entries++ {
		h, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return archive{}, damaged(name, err)
		}
		if path.Clean(h.Name) != "manifest.json" {
			continue
		}
		if a.saved, err = readManifest(files); err != nil {
			return archive{}, fmt.Errorf("read manifest.json of %s: %w", name, err)
		}
	}
	if entries == 0 {
		return archive{}, damaged(name, errors.New("it is empty"))
	}
	if _, err := io.Copy(io.Discard, counted); err != nil {
		return archive{}, damaged(name, err)
	}
	a.digest, a.size = digestOf(hash.Sum(nil)), counted.n
	return a, nil
}

func damaged(name string, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("it is cut short (%w)", err)
	}
	return fmt.Errorf("read %s as a tar, plain or gzip: %w; make it again with docker save, or of a root file system with tar", name, err)
}

// readManifest returns nil for a file that only has the name of a manifest.
func readManifest(r io.Reader) (*savedImage, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxManifest))
	if err != nil {
		return nil, err
	}
	var images []savedImage
	if json.Unmarshal(data, &images) != nil || len(images) == 0 || images[0].Config == "" {
		return nil, nil
	}
	if len(images) > 1 {
		return nil, fmt.Errorf("it holds %d images: save one", len(images))
	}
	return &images[0], nil
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// openArchive opens a file, uncompressed if it is gzip.
func openArchive(name string) (io.ReadCloser, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	buffered := bufio.NewReaderSize(file, 1<<20)
	if magic, _ := buffered.Peek(2); string(magic) != "\x1f\x8b" {
		return readCloser{buffered, file.Close}, nil
	}
	unzipped, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read %s as gzip: %w", name, err), file.Close())
	}
	return readCloser{unzipped, file.Close}, nil
}

type readCloser struct {
	io.Reader
	close func() error
}

func (r readCloser) Close() error { return r.close() }
