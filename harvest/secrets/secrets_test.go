package secrets

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// drawn is a word of n characters of an alphabet.
func drawn(r *rand.Rand, n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

const (
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower = "abcdefghijklmnopqrstuvwxyz"
	digit = "0123456789"
	alnum = upper + lower + digit
)

// planted is a secret and the line of a program that holds it. Nothing here is anybody's: all are drawn.
type planted struct {
	kind   Kind
	secret string
	line   string
}

func plant(r *rand.Rand) []planted {
	token := func(secret string) planted {
		return planted{Token, secret, fmt.Sprintf("client = connect(%q)", secret)}
	}
	number := "4" + drawn(r, 14, digit)
	for c := range 10 {
		if luhn(number + fmt.Sprint(c)) {
			number += fmt.Sprint(c)
			break
		}
	}
	card := number[:4] + " " + number[4:8] + " " + number[8:12] + " " + number[12:]
	pem := drawn(r, 64, alnum+"+/")
	mail := drawn(r, 8, lower) + "." + drawn(r, 5, lower) + "@" + drawn(r, 9, lower) + ".org"
	phone := fmt.Sprintf("+49 %s %s", "1"+drawn(r, 2, "1234"), drawn(r, 3, "23456789")+" "+drawn(r, 4, digit))
	generic := drawn(r, 30, alnum) + "7q3"
	password := drawn(r, 12, alnum)
	return []planted{
		token("AKIA" + drawn(r, 16, upper+"234567")),
		token("ghp_" + drawn(r, 36, alnum)),
		token("glpat-" + drawn(r, 20, alnum)),
		token("xoxb-" + drawn(r, 11, digit) + "-" + drawn(r, 24, alnum)),
		token("AIza" + drawn(r, 35, alnum)),
		token("sk_live_" + drawn(r, 24, alnum)),
		token("sk-proj-" + drawn(r, 48, alnum)),
		token("hf_" + drawn(r, 34, upper+lower)),
		token("npm_" + drawn(r, 36, alnum)),
		token("eyJ" + drawn(r, 20, alnum) + ".eyJ" + drawn(r, 40, alnum) + "." + drawn(r, 43, alnum)),
		{Password, password, fmt.Sprintf("url = 'postgresql://app:%s@db.internal:5432/x'", password)},
		{Generic, generic, fmt.Sprintf("settings = {'api_key': '%s'}", generic)},
		{PrivateKey, pem, fmt.Sprintf("pem = '-----BEGIN RSA PRIVATE KEY-----\\n%s\\nabc=\\n-----END RSA PRIVATE KEY-----'", pem)},
		{Email, mail, fmt.Sprintf("__author__ = 'Somebody <%s>'  # or so", mail)},
		{Email, mail, fmt.Sprintf("# bugs to %s, please", mail)},
		{Email, mail, fmt.Sprintf("text = 'one\\n%s'", mail)},
		{Phone, phone, fmt.Sprintf("call('%s')", phone)},
		{Card, card, fmt.Sprintf("pay('%s')", card)},
	}
}

func TestPlantedSecretsAreMasked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	want, got := map[Kind]int{}, map[Kind]int{}
	const rounds = 50
	for range rounds {
		for _, p := range plant(r) {
			want[p.kind]++
			masked, kinds := MaskProgram(p.line + "\n")
			if len(kinds) == 1 && kinds[0] == p.kind && !strings.Contains(masked, p.secret) {
				got[p.kind]++
			} else {
				t.Logf("%s: %v: %s", p.line, kinds, masked)
			}
			if again, kinds := Mask(masked); again != masked {
				t.Errorf("%s is masked once more: %v: %s", masked, kinds, again)
			}
			if strings.Count(masked, "\n") != 1 {
				t.Errorf("%s: lines are lost", masked)
			}
		}
	}
	for _, kind := range Kinds {
		t.Logf("%s: %d of %d found", kind, got[kind], want[kind])
		if got[kind] < want[kind]*9/10 || want[kind] == 0 {
			t.Errorf("%s: too few are found", kind)
		}
	}
}

func TestNoSecrets(t *testing.T) {
	for _, text := range []string{
		`x = a@b.com`, `@app.route("/x")`, `'user@example.com'`, `"root@localhost"`, `'git@github.com:a/b.git'`, `'a@b.c'`,
		`'https://user:password@host/'`, `"redis://:%s@host"`, `'http://host:8080/@x'`, `url = "postgres://u:{pw}@h"`,
		`password = "correct horse"`, `token = 'identifier_name'`, `key = "0123456789"`, `api_key = 'your_api_key_123456'`,
		`'-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'`, `AKIAIOSFODNN7EXAMPLE`,
		`'2021-03-04 12:30:45'`, `'192.168.100.200'`, `3.14159265358979`, `4532015112830366`, `[4532015112830366, 1]`, `'+1 202 555 0143'`,
		`1234567890123`, `'978-3-16-148410-0'`, `1e+1234567890`, `'0x1234567890abcdef'`,
	} {
		if got, kinds := MaskProgram(text); got != text {
			t.Errorf("%s becomes %s: %v", text, got, kinds)
		}
	}
}

func TestMasks(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"equal secrets, equal masks", "mail('ann@firm.com', 'ann@firm.com')", "mail('user-91db@example.com', 'user-91db@example.com')"},
		{"other secrets, other masks", "mail('ann@firm.com', 'bob@firm.com')", "mail('user-91db@example.com', 'user-343d@example.com')"},
		{"an escape stays whole", `'a\ubob@firm.com'`, `'a\uuser-343d@example.com'`},
		{"code is left", "x = a@firm.com  # a@firm.com", "x = a@firm.com  # user-1ae0@example.com"},
		{"a string over lines", "'''\nbob@firm.com\n'''", "'''\nuser-343d@example.com\n'''"},
		{"behind a string with a quote in it", `f('it\'s', "bob@firm.com")`, `f('it\'s', "user-343d@example.com")`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, _ := MaskProgram(test.text); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestStandardLibrary counts what is taken for a secret in texts that have none but the addresses of their authors.
func TestStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a whole library")
	}
	out, err := exec.Command("python3", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		t.Skip("no python3: ", err)
	}
	counts, bytes, files := map[Kind]int{}, 0, 0
	root := strings.TrimSpace(string(out))
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == "site-packages" || d.Name() == "dist-packages" || d.Name() == "test") {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".py") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		files, bytes = files+1, bytes+len(text)
		program := string(text)
		spans := quoted(program)
		for _, f := range Find(program) {
			for _, s := range spans {
				if s.start <= f.Start && f.End <= s.end {
					counts[f.Kind]++
					if f.Kind != Email {
						t.Logf("%s: %s: %s", filepath.Base(path), f.Kind, program[f.Start:f.End])
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %.1f MB: %v", files, float64(bytes)/1e6, counts)
	wrong := 0
	for kind, n := range counts {
		if kind != Email {
			wrong += n
		}
	}
	if wrong > files/100 {
		t.Errorf("%d of %d files hold what is taken for a secret", wrong, files)
	}
}

func FuzzMask(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, p := range plant(r) {
		f.Add(p.line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		masked, _ := Mask(text)
		if strings.Count(masked, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q: other lines: %q", text, masked)
		}
		program, _ := MaskProgram(text)
		if len(quoted(program)) != len(quoted(text)) {
			t.Errorf("%q: other literals: %q", text, program)
		}
	})
}

func BenchmarkMask(b *testing.B) {
	values := []string{"[1, 2, 3]", "'some text that is longer'", "{'key': 'value', 'other': 12}", "<C object>", "3.25"}
	for b.Loop() {
		for _, v := range values {
			Mask(v)
		}
	}
}
