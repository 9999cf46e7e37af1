// Looks at the text of a statement before SQLite does: that it is one statement, that it reads, and which words it has.
//
// Invariant: nothing here protects the data. SQLite's authorizer does (allowed.ts). This file gives better messages, and
// the words say which columns cannot be needed.
//
// Example: the words of `SELECT "country" -- page` are `select` and `country`. A comment has no words.

import { Refusal, USAGE } from '../lib/errors.ts';

/** Texts in quotes, comments, words, and every other character alone. */
const TOKENS =
  /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\p{L}\p{N}_$]+|\s+|./gsu;

const READING = ['select', 'with', 'values'];

const LONGEST_STATEMENT = 20_000;

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
  return { text: typed, words: new Set(tokens.map(unquote)) };
}

/** A mistake in the statement. The message is shown to its author. */
export const refuse = (message: string): Refusal => new Refusal(message, USAGE);

const unquote = (token: string): string => token.replaceAll(/^["'`[]|["'`\]]$/g, '').toLowerCase();
