// Checks the text of a statement before SQLite reads it. The text must be one statement that only reads. Also finds the
// words of the statement.
//
// Invariant: the data does not depend on this file for its protection, because SQLite's authorizer protects it
// (allowed.ts). This file gives better error messages. With the words, run.ts knows which columns a statement cannot
// need.
//
// Example: the words of `SELECT "country" -- page` are `select` and `country`. A comment has no words.

import { Refusal, USAGE } from '../lib/errors.ts';

/** The prefix of daybook's own tables and functions in the sandbox. No statement may use a name with this prefix. */
export const OWN = 'daybook_';

/** Matches texts in quotes, comments, words, and any other single character. */
const TOKENS =
  /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\p{L}\p{N}_$]+|\s+|./gsu;

const READING = ['select', 'with', 'values'];

export const LONGEST_STATEMENT = 20_000;

export type Statement = { text: string; words: ReadonlySet<string> };

export function readStatement(typed: string): Statement {
  if (typed.length > LONGEST_STATEMENT) {
    throw refuse(`the statement is longer than ${LONGEST_STATEMENT.toLocaleString('en')} characters. Shorten it`);
  }
  if (typed.includes('\0')) throw refuse('the statement has a NUL character. Remove it');
  const tokens = (typed.match(TOKENS) ?? []).filter((token) => !/^(?:\s|--|\/\*)/.test(token));
  const end = tokens.indexOf(';');
  if (end >= 0 && tokens.slice(end).some((token) => token !== ';')) {
    throw refuse('the text has several statements. Send one statement at a time');
  }
  const [first] = tokens;
  if (first === undefined || first === ';') throw refuse('the statement is empty. Begin with SELECT');
  if (!READING.includes(first.toLowerCase())) {
    throw refuse('a statement can only read. Begin it with SELECT, WITH or VALUES');
  }
  const words = new Set(tokens.map(unquote));
  for (const word of words) {
    if (word.startsWith(OWN)) throw refuse(`names may not begin with ${OWN}. Choose another name than ${word}`);
  }
  return { text: typed, words };
}

/** Makes the error for a mistake in the statement. The author of the statement sees the message. */
export const refuse = (message: string): Refusal => new Refusal(message, USAGE);

const unquote = (token: string): string => token.replaceAll(/^["'`[]|["'`\]]$/g, '').toLowerCase();
