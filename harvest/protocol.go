package harvest

import (
	"embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

//go:embed analyzer/*.py
var analyzerFiles embed.FS

// analyzerSources is the analyzer as a sandbox.Spec takes it.
func analyzerSources() (map[string][]byte, error) {
	entries, err := analyzerFiles.ReadDir("analyzer")
	if err != nil {
		return nil, fmt.Errorf("embedded analyzer: %w", err)
	}
	files := make(map[string][]byte, len(entries))
	for _, entry := range entries {
		name := "analyzer/" + entry.Name()
		if files[name], err = analyzerFiles.ReadFile(name); err != nil {
			return nil, fmt.Errorf("embedded analyzer: %w", err)
		}
	}
	return files, nil
}

type request struct {
	Text     bool           `json:"text"`
	MaxBytes int            `json:"max_bytes"`
	Slice    Slice          `json:"slice,omitempty"`
	Filters  *Filters       `json:"filters,omitempty"`
	Path     string         `json:"path,omitempty"` // with Filters or TestFiles
	Caseless bool           `json:"caseless,omitempty"`
	Prints   bool           `json:"fingerprints,omitempty"`
	Entry    string         `json:"entry,omitempty"`
	Inputs   []requestInput `json:"inputs,omitempty"`
	Tests    []string       `json:"tests,omitempty"`
	Imports  bool           `json:"imports,omitempty"`
	Notebook bool           `json:"notebook,omitempty"`
	Equal    *[2]string     `json:"equal,omitempty"`

	TestFiles   []TestFile          `json:"test_files,omitempty"` // with Path
	Generate    *generateRequest    `json:"generate,omitempty"`
	Fingerprint *fingerprintRequest `json:"fingerprint,omitempty"`
}

type requestInput struct {
	Text     string  `json:"text"`
	Whole    bool    `json:"whole"`
	Expected *string `json:"expected"`
}

// encodeRequest makes the frame that analyzer/requests.py describes.
func encodeRequest(item *Item, opts Options) ([]byte, error) {
	r := request{Text: item.Source == nil, MaxBytes: opts.MaxProgramBytes, Slice: opts.Slice, Caseless: opts.Caseless, Prints: opts.Fingerprints, Entry: item.Entry, Tests: item.Tests, Imports: item.Imports}
	if !opts.Filters.isZero() {
		r.Filters, r.Path = &opts.Filters, item.Path
	}
	if len(item.TestFiles) > 0 {
		r.TestFiles, r.Path = item.TestFiles, item.Path
	}
	r.Notebook = strings.HasSuffix(item.Path, ".ipynb")
	for _, input := range item.Inputs {
		if item.Entry == schema.ModuleEntry {
			break // their texts are nothing to a parser
		}
		given := requestInput{Text: input.Args}
		if input.Call != "" {
			given = requestInput{Text: input.Call, Whole: true}
		}
		if input.HasExpected {
			given.Expected = &input.Expected
		}
		r.Inputs = append(r.Inputs, given)
	}
	source := item.Source
	if source == nil {
		source = []byte(item.Text)
	}
	return r.frame(source)
}

func (r *request) frame(source []byte) ([]byte, error) {
	head, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	frame := make([]byte, 0, 4+len(head)+len(source))
	frame = binary.LittleEndian.AppendUint32(frame, uint32(len(head)))
	frame = append(frame, head...)
	return append(frame, source...), nil
}

type answer struct {
	Reason Reason `json:"reason"`
	Detail string `json:"detail"`

	Equal *bool `json:"equal"`

	Program   string           `json:"program"`
	Facts     map[string]int   `json:"facts"`
	TestFacts map[string]int   `json:"test_facts"` // of the item's test files
	Blocks    []answerBlock    `json:"blocks"`
	Functions []answerFunction `json:"functions"`
	Left      []answerLeft     `json:"left"`
	Cases     []struct {
		Function  string  `json:"function"`
		Call      string  `json:"call"`
		Generator string  `json:"generator"`
		Expected  *string `json:"expected"`
	} `json:"cases"`
	Drops []struct {
		Function string `json:"function"`
		Reason   Reason `json:"reason"`
		Detail   string `json:"detail"`
	} `json:"drops"`
}

type answerFunction struct {
	Name      string      `json:"name"`
	Entry     string      `json:"entry"`
	Start     int32       `json:"start"`
	End       int32       `json:"end"`
	Doc       string      `json:"doc"`
	Async     bool        `json:"async"`
	Generator bool        `json:"generator"`
	Slice     []lineRange `json:"slice"`
	Suffix    string      `json:"suffix"`

	Fingerprint *Fingerprint `json:"fingerprint"`
}

// answerBlock is [start, def, end, name].
type answerBlock schema.Block

func (b *answerBlock) UnmarshalJSON(data []byte) error {
	fields := []any{&b.Start, &b.Def, &b.End, &b.Name}
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	if len(fields) != 4 {
		return fmt.Errorf("a block of %d fields", len(fields))
	}
	return nil
}

// decodeAnswer reads an answer. The analyzer runs none of what it reads, but a parser that was taken over could say
// anything: what others rely on is checked here.
func decodeAnswer(frame []byte) (*answer, error) {
	var a answer
	if err := json.Unmarshal(frame, &a); err != nil {
		return nil, fmt.Errorf("the analyzer's answer: %w", err)
	}
	lines := int32(len(schema.Lines(a.Program)))
	known := make(map[string]bool, len(a.Functions))
	for _, f := range a.Functions {
		if f.Start < 1 || f.End < f.Start || f.End > lines {
			return nil, fmt.Errorf("the analyzer's answer: function %q at lines %d to %d of %d", f.Name, f.Start, f.End, lines)
		}
		if err := checkRanges(f.Slice, &f, lines); err != nil {
			return nil, err
		}
		if f.Fingerprint != nil && !f.Fingerprint.holds() {
			return nil, fmt.Errorf("the analyzer's answer: function %q has no fingerprint but %+v", f.Name, f.Fingerprint)
		}
		known[f.Name] = true
	}
	for _, l := range a.Left {
		if err := checkLeft(&l, lines); err != nil {
			return nil, err
		}
	}
	for _, b := range a.Blocks {
		if b.Start < 1 || b.Def < b.Start || b.End < b.Def || b.End > lines {
			return nil, fmt.Errorf("the analyzer's answer: block %q at lines %d, %d to %d of %d", b.Name, b.Start, b.Def, b.End, lines)
		}
	}
	for _, c := range a.Cases {
		if !known[c.Function] {
			return nil, fmt.Errorf("the analyzer's answer: a case of %q, which it does not define", c.Function)
		}
	}
	if strings.ContainsRune(a.Program, '\r') {
		return nil, fmt.Errorf("the analyzer's answer: a program with carriage returns")
	}
	return &a, nil
}
