package secrets

import (
	"math"
	"regexp"
	"strings"
)

// Kind says what was found.
type Kind string

const (
	PrivateKey Kind = "private_key"
	Token      Kind = "token"    // of a service, known by its prefix
	Password   Kind = "password" // in a URL
	Generic    Kind = "generic"  // of high entropy, set to something that is named like a secret
	Email      Kind = "email"
	Phone      Kind = "phone"
	Card       Kind = "card"
)

// Kinds is every kind.
var Kinds = []Kind{PrivateKey, Token, Password, Generic, Email, Phone, Card}

// rule finds one kind. The secret is the expression's first group, or the whole match.
type rule struct {
	kind  Kind
	least int // bytes of a text with a match
	// hints are words of which a text with a match has at least one: they are looked for first, as most texts have none. They are in
	// small letters where folded is set.
	hints  []string
	folded bool
	match  *regexp.Regexp
	holds  func(text string, start, end int) bool // nil: every match holds
}

var rules = []rule{
	{
		kind: Token, least: 18,
		hints: []string{"AKIA", "ASIA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "AIza", "sk_live_", "rk_live_", "sk_test_", "sk-", "hf_", "pypi-", "npm_", "SG.", "eyJ", ":AA", "hooks.slack.com", "dop_v1_", "shpat_"},
		match: regexp.MustCompile(`\b(` + strings.Join([]string{
			`(?:AKIA|ASIA)[A-Z2-7]{16}`,                                        // AWS
			`gh[pousr]_[A-Za-z0-9]{36,}`,                                       // GitHub
			`github_pat_[A-Za-z0-9_]{60,}`,                                     //
			`glpat-[A-Za-z0-9_-]{20,}`,                                         // GitLab
			`xox[abeoprs]-[A-Za-z0-9-]{10,}`,                                   // Slack
			`AIza[A-Za-z0-9_-]{35}`,                                            // Google
			`[sr]k_(?:live|test)_[A-Za-z0-9]{16,}`,                             // Stripe
			`sk-(?:proj-|ant-api\d\d-|or-v1-)?[A-Za-z0-9_-]{32,}`,              // model providers
			`hf_[A-Za-z]{34,}`,                                                 // Hugging Face
			`pypi-[A-Za-z0-9_-]{50,}`,                                          // PyPI
			`npm_[A-Za-z0-9]{36}`,                                              // npm
			`dop_v1_[a-f0-9]{64}`,                                              // DigitalOcean
			`shpat_[a-fA-F0-9]{32}`,                                            // Shopify
			`\d{8,10}:AA[A-Za-z0-9_-]{33}`,                                     // Telegram
			`SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`,                         // SendGrid
			`eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`, // JSON Web Token
			`hooks\.slack\.com/services/T[A-Za-z0-9_]+/B[A-Za-z0-9_]+/[A-Za-z0-9]{16,}`, // Slack's webhooks
		}, "|") + `)`),
		holds: func(text string, start, end int) bool {
			found := text[start:end]
			return !strings.Contains(found, "EXAMPLE") && entropy(found) > 2.5
		},
	},
	{
		kind: Password, least: 12,
		hints: []string{"://"},
		match: regexp.MustCompile(`\b[A-Za-z][A-Za-z0-9+.-]*://[^\s:/@'"\\<>{}]*:([^\s/@'"\\<>{}]{3,})@[A-Za-z0-9\[]`),
		holds: func(text string, start, end int) bool { return !placeholder(text[start:end]) },
	},
	{
		kind: Generic, least: 20, folded: true,
		hints: []string{"key", "secret", "token", "passw", "pwd", "credential", "auth"},
		match: regexp.MustCompile(`(?i)(?:api_?-?key|secret|token|passwo?r?d|pwd|credential|access_?-?key|auth_?-?key|private_?-?key)[\w-]{0,20}["']?\s{0,3}(?::|=|=>|:=)\s{0,3}[bru]{0,2}["']([A-Za-z0-9_+/=.~!@#$%^&*-]{12,})["']`),
		holds: func(text string, start, end int) bool {
			found := text[start:end]
			return random(found) && !placeholder(found)
		},
	},
	{
		kind: Email, least: 6,
		hints: []string{"@"},
		match: regexp.MustCompile(`[A-Za-z0-9_][A-Za-z0-9._%+-]*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,13}`),
		holds: address,
	},
	{
		kind: Phone, least: 10,
		hints: []string{"+", "-", ")"},
		match: regexp.MustCompile(`\+[1-9]\d{0,2}[ .-]?\(?\d{1,4}\)?(?:[ .-]\d{2,4}){2,4}|\+[1-9]\d{9,13}|\(?\b[2-9]\d{2}\)?[ .-][2-9]\d{2}[.-]\d{4}`),
		holds: phone,
	},
	{
		kind: Card, least: 13,
		hints: []string{"3", "4", "5", "6"},
		match: regexp.MustCompile(`\d(?:[ -]?\d){12,18}`),
		holds: card,
	},
}

func (r *rule) mayMatch(text, folded string) bool {
	if len(text) < r.least {
		return false
	}
	if r.folded {
		text = folded
	}
	for _, hint := range r.hints {
		if strings.Contains(text, hint) {
			return true
		}
	}
	return false
}

// entropy is in bits per character.
func entropy(text string) float64 {
	var counts [256]int
	for i := range len(text) {
		counts[text[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// random says whether a word looks drawn by lot: letters and digits, of an entropy that words of a language do not have.
func random(word string) bool {
	digits, letters := 0, 0
	for _, c := range word {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			letters++
		}
	}
	return digits >= 2 && letters >= 2 && entropy(word) >= 3.3
}

var placeholders = regexp.MustCompile(`(?i)^(?:[x*.#-]+|\$.*|%.*|\{.*|<.*|masked.*|XX[0-9a-f]{0,4}x*|pass(?:word|wd)?\d{0,3}|pwd|secret|token|test|example|changeme|guest|root|admin|user|user(?:name)?|your.*|my.*)$`)

// placeholder says whether a word stands for a secret in an example.
func placeholder(word string) bool { return placeholders.MatchString(word) }

// Names that are reserved for examples (RFC 2606, RFC 6761), and what is no mailbox.
var (
	reserved = regexp.MustCompile(`(?i)(?:^|[.@])(?:example\.(?:com|org|net|edu)|[a-z0-9-]+\.(?:example|test|invalid|localhost|local))$`)
	nobody   = regexp.MustCompile(`(?i)^(?:git|hg|svn|noreply|no-reply)@`)
	domains  = regexp.MustCompile(`(?i)\.(?:[a-z]{2}|com|org|net|edu|gov|mil|int|info|biz|name|dev|app|pro|mobi|email|online|site|tech|xyz|cloud|tel|jobs|blog|shop|club|live|systems|software|solutions|agency|academy|berlin|london)$`)
)

func address(text string, start, end int) bool {
	found := text[start:end]
	return domains.MatchString(found) && !reserved.MatchString(found) && !nobody.MatchString(found)
}

func phone(text string, start, end int) bool {
	found := text[start:end]
	digits := digitsOf(found)
	switch {
	case inNumber(text, start, end), len(digits) < 10, len(digits) > 15:
		return false
	case strings.Contains(digits[max(0, len(digits)-7):], "55501"): // numbers of films
		return false
	case strings.Trim(digits, digits[:1]) == "":
		return false
	}
	return strings.Count(found, "(") == strings.Count(found, ")")
}

var cardWords = regexp.MustCompile(`(?i)card|visa|amex|american express|credit|debit|\bpan\b|\bcc`)

// card takes a number that checks (ISO/IEC 7812, Luhn) and is of a network, where it is written in groups, or a word before it says what it is:
// one in ten numbers of that length checks.
func card(text string, start, end int) bool {
	found := text[start:end]
	digits := digitsOf(found)
	if inNumber(text, start, end) || !network.MatchString(digits) || !luhn(digits) {
		return false
	}
	return grouped.MatchString(found) || len(digits) == len(found) && cardWords.MatchString(text[max(0, start-40):start])
}

var (
	network = regexp.MustCompile(`^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6(?:011|5\d\d)\d{12}|35\d{14})$`)
	grouped = regexp.MustCompile(`^(?:\d{4}([ -])\d{4}[ -]\d{4}[ -]\d{4}|\d{4}[ -]\d{6}[ -]\d{5})$`)
)

func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

func digitsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// inNumber says whether a match is only a part of a longer word or number.
func inNumber(text string, start, end int) bool {
	before, after := byte(' '), byte(' ')
	if start > 0 {
		before = text[start-1]
	}
	if end < len(text) {
		after = text[end]
	}
	wordly := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	escaped := start > 1 && text[start-2] == '\\' && (before == 'n' || before == 't' || before == 'r')
	return wordly(before) && !escaped || before == '.' || before == '-' || before == '+' || wordly(after) ||
		(after == '.' || after == '-') && end+1 < len(text) && wordly(text[end+1])
}
