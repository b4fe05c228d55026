package secrets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Finding is a stretch of bytes of a text.
type Finding struct {
	Start, End int
	Kind       Kind
}

// shortest is the length of a@b.de.
const shortest = 6

// Find finds the secrets of a text, by place; they do not overlap.
func Find(text string) []Finding {
	if len(text) < shortest {
		return nil
	}
	folded := ""
	found := keys(text)
	for i := range rules {
		r := &rules[i]
		if r.folded && folded == "" {
			folded = strings.ToLower(text)
		}
		if !r.mayMatch(text, folded) {
			continue
		}
		for _, at := range r.match.FindAllStringSubmatchIndex(text, -1) {
			start, end := at[0], at[1]
			if len(at) > 2 {
				start, end = at[2], at[3]
			}
			start = afterEscape(text, start)
			if r.holds == nil || r.holds(text, start, end) {
				found = append(found, Finding{start, end, r.kind})
			}
		}
	}
	// Of two that overlap the first rule's is kept; masks are made in the order of the text.
	kept := found[:0:0]
	for _, f := range found {
		if !slices.ContainsFunc(kept, func(k Finding) bool { return f.Start < k.End && k.Start < f.End }) {
			kept = append(kept, f)
		}
	}
	slices.SortFunc(kept, func(a, b Finding) int { return a.Start - b.Start })
	return kept
}

// afterEscape leaves an escape whole: of `\nuser@host` in a literal, n is no part of the address.
func afterEscape(text string, start int) int {
	slashes := 0
	for start-slashes > 0 && text[start-slashes-1] == '\\' {
		slashes++
	}
	return start + slashes%2
}

var (
	keyBegin = regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----`)
	keyBody  = regexp.MustCompile(`[A-Za-z0-9+/=]{16,}`)
	keyLast  = regexp.MustCompile(`([A-Za-z0-9+/=]+)(?:\\[nr]|\s)*$`)
)

// keyBytes is longer than any key that is written in this way.
const keyBytes = 8 << 10

// keys finds the bodies of private keys, line by line: between the lines is what the literal they are in needs.
func keys(text string) []Finding {
	if !strings.Contains(text, "PRIVATE KEY") {
		return nil
	}
	var found []Finding
	for _, begin := range keyBegin.FindAllStringIndex(text, -1) {
		body := text[begin[1]:min(len(text), begin[1]+keyBytes)]
		end := strings.Index(body, "-----")
		if end >= 0 {
			body = body[:end]
		}
		if strings.Contains(body, "MASKED") {
			continue // its last line may be too short for a mask to be known
		}
		for _, at := range keyBody.FindAllStringIndex(body, -1) {
			found = append(found, Finding{afterEscape(text, begin[1]+at[0]), begin[1] + at[1], PrivateKey})
		}
		if at := keyLast.FindStringSubmatchIndex(body); end >= 0 && len(found) > 0 && at != nil {
			found = append(found, Finding{afterEscape(text, begin[1]+at[2]), begin[1] + at[3], PrivateKey})
		}
	}
	return found
}

// Mask masks the secrets of a text that is shown, and gives their kinds, each once.
func Mask(text string) (string, []Kind) { return replace(text, Find(text)) }

// MaskProgram masks those in the comments and string literals of a Python program: what else looks like one is code.
func MaskProgram(program string) (string, []Kind) {
	found := Find(program)
	if len(found) == 0 {
		return program, nil
	}
	spans := quoted(program)
	return replace(program, slices.DeleteFunc(found, func(f Finding) bool {
		return !slices.ContainsFunc(spans, func(s span) bool { return s.start <= f.Start && f.End <= s.end })
	}))
}

func replace(text string, found []Finding) (string, []Kind) {
	if len(found) == 0 {
		return text, nil
	}
	var b strings.Builder
	var kinds []Kind
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start])
		b.WriteString(mask(text[f.Start:f.End], f.Kind))
		at = f.End
		if !slices.Contains(kinds, f.Kind) {
			kinds = append(kinds, f.Kind)
		}
	}
	b.WriteString(text[at:])
	return b.String(), kinds
}

// mask is what stands for a secret.
func mask(secret string, kind Kind) string {
	sum := sha256.Sum256([]byte("mask\x00" + secret))
	switch word := hex.EncodeToString(sum[:2]); {
	case kind == Email:
		return "user-" + word + "@example.com"
	case kind == Phone, kind == Card:
		return digitsMasked(secret, fmt.Sprintf("%04d", (int(sum[0])<<8|int(sum[1]))%10_000))
	case len(secret) < 10:
		return ("XX" + word + "xxxx")[:len(secret)]
	default:
		return "MASKED" + word + strings.Repeat("x", len(secret)-10)
	}
}

// digitsMasked keeps what is between the digits. The first ones are 0, which no telephone or card number begins with.
func digitsMasked(secret, last string) string {
	masked := []byte(secret)
	for i := len(masked) - 1; i >= 0; i-- {
		if masked[i] < '0' || masked[i] > '9' {
			continue
		}
		masked[i] = '0'
		if last != "" {
			masked[i], last = last[len(last)-1], last[:len(last)-1]
		}
	}
	return string(masked)
}
