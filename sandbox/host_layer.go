package sandbox

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// layerWriter packs a tree so that equal trees give equal bytes.
type layerWriter struct {
	py      interpreter
	tree    tree
	out     *tar.Writer
	content hash.Hash
}

// writeLayer packs t into w. The digest it returns is of the contents without the .pyc files: those depend on what
// was imported on the machine before, and change nothing but the time of an import.
func writeLayer(w io.Writer, py interpreter, t tree) (digest string, err error) {
	l := &layerWriter{py: py, tree: t, out: tar.NewWriter(w), content: sha256.New()}
	for _, name := range t.sorted() {
		if err := l.add(name, t[name]); err != nil {
			return "", fmt.Errorf("pack %s: %w", name, err)
		}
	}
	if err := l.out.Close(); err != nil {
		return "", fmt.Errorf("pack: %w", err)
	}
	return "sha256:" + hex.EncodeToString(l.content.Sum(nil)), nil
}

func (l *layerWriter) add(name string, n node) error {
	h := &tar.Header{Name: strings.TrimPrefix(name, "/"), ModTime: epoch, Format: tar.FormatPAX}
	var data []byte
	switch {
	case n.from != "":
		info, err := os.Stat(n.from)
		if err != nil {
			return err
		}
		if data, err = os.ReadFile(n.from); err != nil {
			return err
		}
		h.Typeflag, h.Mode = tar.TypeReg, 0o644
		if info.Mode()&0o111 != 0 {
			h.Mode = 0o755
		}
		if path.Ext(name) == ".pyc" {
			if data = l.unchecked(n.from, data); data == nil {
				return nil
			}
		}
	case n.text != "":
		h.Typeflag, h.Mode, data = tar.TypeReg, 0o644, []byte(n.text)
	case n.link != "":
		h.Typeflag, h.Mode, h.Linkname = tar.TypeSymlink, 0o777, n.link
	default:
		h.Typeflag, h.Mode, h.Name = tar.TypeDir, 0o755, h.Name+"/"
		if n.dir != 0 {
			h.Mode = int64(n.dir)
		}
	}
	h.Size = int64(len(data))
	if err := l.out.WriteHeader(h); err != nil {
		return err
	}
	if _, err := l.out.Write(data); err != nil {
		return err
	}
	if path.Ext(name) != ".pyc" && path.Base(name) != "__pycache__" {
		fmt.Fprintf(l.content, "%q %c %o %q %d\n", h.Name, h.Typeflag, h.Mode, h.Linkname, h.Size)
		l.content.Write(data)
	}
	return nil
}

// Header of a .pyc file: magic, flags, and then either time and size of the source or a hash of it.
const (
	pycHeader = 16
	pycHash   = 1 // it has a hash
)

// unchecked returns a .pyc as one that is taken as it is, since the times it compares are gone in the image. It
// returns nil when it is stale, or belongs to no source that is copied: then the source is what counts.
func (l *layerWriter) unchecked(name string, pyc []byte) []byte {
	magic, _ := hex.DecodeString(l.py.Magic)
	if len(pyc) < pycHeader || !bytes.HasPrefix(pyc, magic) {
		return nil
	}
	base, tag, ok := strings.Cut(filepath.Base(name), ".")
	if !ok || strings.Contains(tag, "opt-") {
		return nil
	}
	source := filepath.Join(filepath.Dir(filepath.Dir(name)), base+".py")
	info, err := os.Stat(source)
	if _, copied := l.tree[l.py.inside(source)]; err != nil || !copied {
		return nil
	}
	if flags := binary.LittleEndian.Uint32(pyc[4:]); flags&pycHash != 0 {
		return pyc
	}
	if binary.LittleEndian.Uint32(pyc[8:]) != uint32(info.ModTime().Unix()) || binary.LittleEndian.Uint32(pyc[12:]) != uint32(info.Size()) {
		return nil
	}
	out := bytes.Clone(pyc)
	binary.LittleEndian.PutUint32(out[4:], pycHash)
	clear(out[8:pycHeader])
	return out
}
