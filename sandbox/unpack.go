package sandbox

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
)

// unpack lays a root file system out in an empty directory. Everything belongs to this user; no file is set-uid, and what is no
// file, directory or link, such as a device, is left out. Nothing in the archive leads out of the directory.
func unpack(archive io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var dirs []*tar.Header
	for files := tar.NewReader(archive); ; {
		h, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("read the archive: %w", err)
		}
		h.Name = path.Clean(h.Name)
		if h.Typeflag == tar.TypeDir {
			dirs = append(dirs, h)
		}
		if err := unpackOne(root, h, files); err != nil {
			return fmt.Errorf("unpack %s: %w", h.Name, err)
		}
	}
	// Last, and the innermost first: what is put into a directory changes its time, and may need a right that it then loses.
	for _, h := range slices.Backward(dirs) {
		if err := errors.Join(root.Chtimes(h.Name, h.ModTime, h.ModTime), root.Chmod(h.Name, h.FileInfo().Mode()&(fs.ModePerm|fs.ModeSticky))); err != nil {
			return fmt.Errorf("unpack %s: %w", h.Name, err)
		}
	}
	return nil
}

func unpackOne(root *os.Root, h *tar.Header, content io.Reader) error {
	if h.Typeflag == tar.TypeDir {
		return root.MkdirAll(h.Name, 0o755)
	}
	if err := root.MkdirAll(path.Dir(h.Name), 0o755); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeReg:
		file, err := root.OpenFile(h.Name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(file, content)
		return errors.Join(err, file.Close(),
			root.Chtimes(h.Name, h.ModTime, h.ModTime), root.Chmod(h.Name, h.FileInfo().Mode()&fs.ModePerm))
	case tar.TypeSymlink:
		return root.Symlink(h.Linkname, h.Name)
	case tar.TypeLink:
		return root.Link(path.Clean(h.Linkname), h.Name)
	}
	return nil
}
