// A code is a sentence of the server as data: a name with values. The sentence is made just before people see it, from
// the table in codes.ts. The API and the terminal use English (sentences.ts). Pages and the dashboard use the user's
// language.
//
// Example: `coded('visits_excluded', { visits: 5, exclusions: 1 })` becomes "5 visits are excluded by 1 exclusion."
//
// Invariant: the types allow only codes of the table, with all values of the template. In a template,
// `{visits|visit|visits}` becomes a count with its word, such as "5 visits". `{days:days}` is a value that the writer
// `days` formats. A browser loads only one language, therefore this file imports only types from the tables
// (test/embedded/bundle.test.ts).

import type { CODES, Code } from './codes.ts';

export type { Code };

/** The days `from` and `to` are texts such as 2026-01-31. Both days belong to the span. */
export type DaySpan = { from: string; to: string };

export type CodedValue = string | number | DaySpan[] | TextCode[];
export type Values = Readonly<Record<string, CodedValue>>;

/** A code from the API. `code` is any text, because a server may be newer than the page, and have more codes. */
export type TextCode = { code: string; values: Values };

export type Coded = { code: Code; values: Values };

type NameIn<Inside> = Inside extends `${infer Name}|${string}`
  ? Name
  : Inside extends `${infer Name}:${string}`
    ? Name
    : Inside;
type NamesIn<Text> = Text extends `${string}{${infer Inside}}${infer Rest}` ? NameIn<Inside> | NamesIn<Rest> : never;
type NamesOf<One extends Code> = Extract<NamesIn<(typeof CODES)[One]>, string>;

export const coded = <One extends Code>(
  code: One,
  ...[values]: [NamesOf<One>] extends [never] ? [] : [Readonly<Record<NamesOf<One>, CodedValue>>]
): Coded => ({ code, values: values ?? {} });

/** The functions that write values in one language. A template chooses a function by its name, as in {days:days}. */
export type Writers = {
  number(value: number): string;
  days(value: DaySpan[]): string;
  /** The value is a change in percent. */
  signed(value: number): string;
  /** The value is a number of bytes. */
  size(value: number): string;
  /**
   * The value of `time` is an instant, such as 2026-01-31T10:00:00Z. The value of `day` is a day, such as 2026-01-31.
   */
  time(value: string): string;
  day(value: string): string;
  /** The value is a list of codes. Their sentences are joined by semicolons. */
  codes(value: TextCode[]): string;
  /** The value is a list of codes. Their texts are short and are joined by commas, such as "countries, devices". */
  list(value: TextCode[]): string;
};
type WriterName = keyof Writers;

const PLACE = /\{(\w+)(?::(\w+)|\|([^|}]*)\|([^|}]*))?\}/g;

/**
 * Replaces the names in braces in a template, such as {visits}, by values. At most one of three values is written
 * before the sentence, as in "example.com: …". This is the instant `at`, otherwise the name `of`, otherwise the name
 * `site`.
 */
export function sentenceWith(
  { sentence, prefixed }: Templates,
  { site, at, of = site, ...values }: Values,
  writers: Writers,
  rules: Intl.PluralRules,
): string {
  const said = fill(sentence, values, writers, rules);
  const before = typeof at === 'string' ? writers.time(at) : of;
  return before === undefined ? said : fill(prefixed, { of: before, sentence: said }, writers, rules);
}

function fill(template: string, values: Values, writers: Writers, rules: Intl.PluralRules): string {
  return template.replaceAll(PLACE, (whole, name: string, kind?: WriterName, one?: string, other?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (kind) return (writers[kind] as (value: CodedValue) => string)(value);
    if (typeof value !== 'number') return String(value);
    if (other === undefined) return writers.number(value);
    return `${writers.number(value)} ${rules.select(value) === 'one' ? one : other}`;
  });
}

type Templates = { sentence: string; prefixed: string };
