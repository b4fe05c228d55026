// Package secrets finds credentials and personal data in texts, and masks them.
//
// What is looked for has a form of its own, so that little else is taken for it: private keys, the tokens of services that mark them by a
// prefix, passwords in URLs, words of high entropy that something named like a secret is set to, e-mail addresses, telephone numbers as
// they are written for people, and card numbers that check. Names, addresses and whatever else only a reader recognizes are not found.
//
// A mask is made from the secret alone, so that equal secrets get equal masks wherever they are, and cannot be told from other secrets of
// the same mask: it holds 16 bits of a hash, too few to confirm a guess. It has the secret's length, but for e-mail addresses; it is
// letters, digits and what the secret itself had between them, so that a string literal stays one, lines stay lines, and nothing is found
// in a text that has been masked.
package secrets
