package pipelines

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// One file a mistake, and the whole message that its author sees.
func TestBadConfigs(t *testing.T) {
	golden := readMessages(t)
	files, err := filepath.Glob("testdata/config/*.bad.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			_, err := Load(file)
			var mistake *ConfigError
			if !errors.As(err, &mistake) {
				t.Fatalf("Load: %v, want a *ConfigError", err)
			}
			if *update {
				golden[name] = err.Error()
			}
			if err.Error() != golden[name] {
				t.Errorf("message:\n%s\nwant:\n%s", err, golden[name])
			}
		})
	}
	if *update {
		writeMessages(t, golden)
	}
	if len(golden) != len(files) {
		t.Errorf("%d messages for %d files", len(golden), len(files))
	}
}

const messagesFile = "testdata/config/messages.yaml"

func readMessages(t *testing.T) map[string]string {
	t.Helper()
	messages := map[string]string{}
	text, err := os.ReadFile(messagesFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &messages); err != nil {
		t.Fatal(err)
	}
	return messages
}

func writeMessages(t *testing.T, messages map[string]string) {
	t.Helper()
	text, err := yaml.Marshal(messages)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(messagesFile, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestGoodConfigs(t *testing.T) {
	files, _ := filepath.Glob("testdata/config/*.good.yaml")
	files = append(files, "quickstart.yaml", "cruxeval.yaml")
	if len(files) < 4 {
		t.Fatal("no fixtures")
	}
	for _, file := range files {
		if _, err := Load(file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// What --print shows is a config that means the same.
func TestPrintedConfigLoadsBack(t *testing.T) {
	c, err := Load("testdata/config/full.good.yaml")
	if err != nil {
		t.Fatal(err)
	}
	first := printed(t, c)
	file := filepath.Join(t.TempDir(), "again.yaml")
	if err := os.WriteFile(file, first, 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := Load(file)
	if err != nil {
		t.Fatalf("%v in\n%s", err, first)
	}
	// Paths were made relative to the first file's directory.
	again.Output, again.Sources[0].Path = c.Output, c.Sources[0].Path
	if second := printed(t, again); !bytes.Equal(first, second) {
		t.Errorf("printed again:\n%s\nwant:\n%s", second, first)
	}
}

func printed(t *testing.T, c *Config) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The JSON Schema takes what Load takes, and refuses unknown keys as it does.
func TestSchemaAgreesWithLoad(t *testing.T) {
	var text bytes.Buffer
	if err := PrintSchema(&text); err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(&text)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("config.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	check := func(file string) error {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := yaml.Unmarshal(text, &value); err != nil {
			t.Fatal(err)
		}
		asJSON, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(instance)
	}
	for _, file := range []string{"testdata/config/minimal.good.yaml", "testdata/config/full.good.yaml", "testdata/config/curation.good.yaml", "quickstart.yaml", "cruxeval.yaml"} {
		if err := check(file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, name := range []string{"unknown_key", "unknown_nested", "unknown_in_list", "no_sources", "number"} {
		if err := check("testdata/config/" + name + ".bad.yaml"); err == nil {
			t.Errorf("%s is valid by the schema", name)
		}
	}
}

func TestOverrides(t *testing.T) {
	const file = "testdata/config/minimal.good.yaml"
	c, err := Load(file, "run.workers=3", "trace.limits.memory=64MiB", "sources.0.path=elsewhere", "trajectories.formats=[cwm]")
	if err != nil {
		t.Fatal(err)
	}
	if c.Run.Workers != 3 || c.Trace.Limits.Memory != 64<<20 || c.Trajectories.Formats[0] != "cwm" ||
		c.Sources[0].Path != filepath.Join("testdata/config", "elsewhere") {
		t.Errorf("overridden config: %+v", c)
	}
	for override, want := range map[string]string{
		"run.worker=3":      `unknown key; did you mean "workers"?`,
		"run.workers":       "want KEY=VALUE",
		"sources.4.path=x":  "there is no sources.4",
		"run.workers=[":     "is not a YAML value",
		"output.deeper=yes": "there is no output.deeper",
	} {
		_, err := Load(file, override)
		var mistake *ConfigError
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), want) {
			t.Errorf("--set %s: %v, want %q", override, err, want)
		}
	}
}
