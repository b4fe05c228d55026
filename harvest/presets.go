package harvest

// preset is how a row of a known data set is read: docs/datasets.md says where each column is from.
type preset struct {
	columns Columns
	entry   string
	license string
	// shape reads rows that columns alone do not describe; reads are the further columns that it uses.
	shape func(c *SourceConfig, r record, base Item) ([]Item, error)
	reads []string
}

var presets = map[string]preset{
	"cruxeval": {
		columns: Columns{Code: "code", Input: "input", Output: "output", ID: "id"}, entry: "f", license: "MIT",
	},
	"humaneval": {
		columns: Columns{Code: "prompt+canonical_solution", Entry: "entry_point", Tests: "test", ID: "task_id"}, license: "MIT",
	},
	"humanevalplus": {
		columns: Columns{
			Code: "prompt+canonical_solution", Entry: "entry_point", Tests: "test", Arguments: "base_input+plus_input", ID: "task_id",
		},
		license: "Apache-2.0",
	},
	"mbpp": {
		columns: Columns{
			Code: "code", Tests: "test_list", Setup: "test_setup_code|test_imports", ID: "task_id",
		},
		license: "CC-BY-4.0",
	},
	"mbppplus": {
		columns: Columns{
			Code: "code|canonical_solution", Entry: "entry_point", Tests: "test_list|assertion", Arguments: "base_input+plus_input",
			Setup: "test_imports", ID: "task_id",
		},
		license: "Apache-2.0",
		shape:   mbppPlus,
		reads:   []string{"test"},
	},
	"apps": {
		columns: Columns{Code: "solutions", ID: "problem_id|id"}, license: "MIT",
		shape: apps,
		reads: []string{"input_output", "starter_code"},
	},
	"code_contests": {
		columns: Columns{Code: "solutions", ID: "name"}, license: "CC-BY-4.0",
		shape: codeContests,
		reads: []string{"public_tests", "private_tests", "generated_tests", "input_file"},
	},
	"livecodebench_execution": {
		columns: Columns{Code: "code", Call: "input", Output: "output", Entry: "function_name", ID: "id"},
		shape:   leetCode,
	},
	"livecodebench_codegen": {
		// The data set has tests and no programs: whoever has some adds them to its rows.
		columns: Columns{Code: "code", ID: "question_id"},
		shape:   liveCodeBench,
		reads:   []string{"public_test_cases", "private_test_cases", "metadata", "starter_code"},
	},
	"codesearchnet": {
		columns: Columns{
			Code: "code|func_code_string", Repo: "repo|repository_name", Path: "path|func_path_in_repository", ID: "url|func_code_url",
			Revision: "sha", Language: "language",
		},
		shape: codeSearchNet,
		reads: []string{"func_name"},
	},
	"the_stack": {
		columns: Columns{
			Code: "content", Repo: "max_stars_repo_name|repository_name", Path: "max_stars_repo_path|path", Revision: "max_stars_repo_head_hexsha",
			License: "max_stars_repo_licenses|licenses", Language: "lang", ID: "hexsha",
		},
	},
}
