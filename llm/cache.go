package llm

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// entry is what an endpoint said to a request: a line of the cache.
type entry struct {
	Key     string   `json:"key"` // SHA-256 of the request, hex
	Answers []string `json:"answers,omitempty"`
	Refused string   `json:"refused,omitempty"` // the status by which the request was refused for good
}

// cache is a JSONL file of entries. Where each lies is in memory, what it says is not. The first entry of a key counts, and a line that is cut
// off, as by a kill, counts for nothing.
type cache struct {
	path  string // "": nothing is kept
	mu    sync.Mutex
	file  *os.File // nil before the first use
	at    map[[sha256.Size]byte]place
	ended int64
}

type place struct {
	offset int64
	length int
}

func newCache(path string) *cache { return &cache{path: path, at: map[[sha256.Size]byte]place{}} }

// open reads what the file holds, once; c.mu is held.
func (c *cache) open() error {
	if c.path == "" || c.file != nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(c.path), 0o755); err != nil {
		return fmt.Errorf("cache of answers: %w", err)
	}
	file, err := os.OpenFile(c.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("cache of answers: %w", err)
	}
	reader := bufio.NewReader(file)
	for {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			c.file = file
			return nil // what has no line end is overwritten
		}
		if err != nil {
			file.Close()
			return fmt.Errorf("read cache of answers %s: %w", c.path, err)
		}
		var e entry
		key, bad := [sha256.Size]byte{}, json.Unmarshal(line, &e) != nil
		if n, err := hex.Decode(key[:], []byte(e.Key)); !bad && err == nil && n == len(key) {
			if _, there := c.at[key]; !there {
				c.at[key] = place{c.ended, len(line)}
			}
		}
		c.ended += int64(len(line))
	}
}

func (c *cache) get(request []byte) (e entry, ok bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.open(); err != nil {
		return entry{}, false, err
	}
	p, ok := c.at[sha256.Sum256(request)]
	if !ok {
		return entry{}, false, nil
	}
	line := make([]byte, p.length)
	if _, err := c.file.ReadAt(line, p.offset); err != nil {
		return entry{}, false, fmt.Errorf("read cache of answers: %w", err)
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return entry{}, false, fmt.Errorf("read cache of answers: %w", err)
	}
	return e, true, nil
}

func (c *cache) put(request []byte, e entry) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := sha256.Sum256(request)
	if _, there := c.at[key]; there || c.file == nil {
		return nil
	}
	e.Key = hex.EncodeToString(key[:])
	var line bytes.Buffer
	if err := json.NewEncoder(&line).Encode(e); err != nil {
		return err
	}
	if _, err := c.file.WriteAt(line.Bytes(), c.ended); err != nil {
		return fmt.Errorf("write cache of answers: %w", err)
	}
	c.at[key] = place{c.ended, line.Len()}
	c.ended += int64(line.Len())
	return nil
}

func (c *cache) close() error {
	if c.file == nil {
		return nil
	}
	return c.file.Close()
}
