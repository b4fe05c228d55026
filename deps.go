package tracemill

import (
	_ "github.com/apache/arrow-go/v18/arrow"
	_ "github.com/apache/arrow-go/v18/arrow/ipc"
	_ "github.com/apache/arrow-go/v18/parquet/pqarrow"
	_ "github.com/invopop/jsonschema"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/moby/moby/api/types"
	_ "github.com/moby/moby/client"
	_ "github.com/parquet-go/parquet-go"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/schollz/progressbar/v3"
	_ "github.com/spf13/cobra"
	_ "go.uber.org/goleak"
	_ "go.yaml.in/yaml/v3"
	_ "golang.org/x/sync/errgroup"
	_ "pgregory.net/rapid"
)
