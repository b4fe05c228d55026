package license

import (
	"os"
	"testing"
)

func TestHeader(t *testing.T) {
	const apache = `#!/usr/bin/env python3
# Copyright 2020 Somebody
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

def f(): pass
`
	for _, test := range []struct{ name, source, want string }{
		{"a tag", "# SPDX-License-Identifier: MIT\ndef f(): pass\n", "MIT"},
		{"an expression", "# SPDX-License-Identifier: MIT OR Apache-2.0\r\n", "MIT OR Apache-2.0"},
		{"a tag in a docstring", "\"\"\"SPDX-License-Identifier: GPL-3.0-or-later\"\"\"\n", "GPL-3.0-or-later"},
		{"no licence of this name", "# SPDX-License-Identifier: whatever I like\n", ""},
		{"a notice", apache, "Apache-2.0"},
		{"a word", "# the license plate of a car\ndef f(): pass\n", ""},
		{"nothing", "def f(): pass\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Header([]byte(test.source)); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestFile(t *testing.T) {
	text, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	if got := File(text); got != "Apache-2.0" {
		t.Errorf("this project's own licence is %q", got)
	}
	if got := File([]byte("You may do with this what you like, if you ask me first.")); got != "" {
		t.Errorf("a licence of nobody's is %q", got)
	}
	for name, want := range map[string]bool{
		"LICENSE": true, "LICENCE.txt": true, "COPYING": true, "license.md": true, "LICENSE-MIT": true, "UNLICENSE": true,
		"license.py": false, "licenses": false, "README": false,
	} {
		if IsFile(name) != want {
			t.Errorf("IsFile(%s) = %v", name, !want)
		}
	}
}

func TestJudge(t *testing.T) {
	policy := &Policy{Allow: []string{"MIT", "Apache-*", "BSD-*", "my licence"}, Deny: []string{"BSD-4-Clause"}, Unknown: Drop}
	open := &Policy{Deny: []string{"GPL-*", "AGPL-*"}, Unknown: Keep}
	for _, test := range []struct {
		policy     *Policy
		expression string
		want       Verdict
	}{
		{policy, "MIT", Wanted},
		{policy, "mit", Wanted},
		{policy, "Apache-2.0", Wanted},
		{policy, "GPL-3.0-only", Unlisted},
		{policy, "BSD-4-Clause", Denied},
		{policy, "MIT OR GPL-3.0-only", Wanted},
		{policy, "MIT AND GPL-3.0-only", Unlisted},
		{policy, "MIT AND BSD-4-Clause", Denied},
		{policy, "(GPL-2.0-only OR MIT) AND BSD-3-Clause", Wanted},
		{policy, "", Undefined},
		{policy, "see the web page", Undefined},
		{policy, "my licence", Wanted},
		{open, "", Wanted},
		{open, "MIT", Wanted},
		{open, "GPL-2.0-or-later", Denied},
		{open, "GPL-2.0-or-later OR MIT", Wanted},
		{open, "AGPL-3.0-only AND MIT", Denied},
	} {
		if got := test.policy.Judge(test.expression); got != test.want {
			t.Errorf("Judge(%q) with %v = %q, want %q", test.expression, test.policy, got, test.want)
		}
	}
}
