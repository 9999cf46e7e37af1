// A code is a sentence of the server as data: its name and its values. The sentence is made at the edge, from the table in codes.ts. The
// API and the terminal get English (sentences.ts); pages and the dashboard get the language of the reader.
//
//   coded('set_aside', { visits: 5, exclusions: 1 })
//   '{visits|visit is|visits are} set aside by {exclusions|exclusion|exclusions}.'   5 visits are set aside by 1 exclusion.
//
// A template names its values: {name}, {name|one|other} for a count with its word, and {name:kind} for a value with a form of its own.
// A value of the kind `codes` has codes inside. The types take only a code of the table with all values of its template. Only types are
// imported from the tables, because a browser gets one language (test/embedded/bundle.test.ts).

import type { CODES } from './codes.ts';

export type Code = keyof typeof CODES;

/** A span of days as text, such as 2026-01-31. Both ends are included. */
export type DaySpan = { from: string; to: string };

export type CodedValue = string | number | DaySpan[] | TextCode[];
export type Values = Readonly<Record<string, CodedValue>>;

/** A code as the API has it, where a newer server may know more codes. */
export type TextCode = { code: string; values: Values };

export type Coded = { code: Code; values: Values };

type NameIn<Inside> = Inside extends `${infer Name}|${string}`
  ? Name
  : Inside extends `${infer Name}:${string}`
    ? Name
    : Inside;
type NamesIn<Text> = Text extends `${string}{${infer Inside}}${infer Rest}` ? NameIn<Inside> | NamesIn<Rest> : never;
type NamesOf<One extends Code> = Extract<NamesIn<(typeof CODES)[One]['en']>, string>;

export const coded = <One extends Code>(
  code: One,
  ...[values]: [NamesOf<One>] extends [never] ? [] : [Readonly<Record<NamesOf<One>, CodedValue>>]
): Coded => ({ code, values: values ?? {} });

/** Writers of values in a language, by the kind in the template. */
export type Writers = {
  number(value: number): string;
  days(value: DaySpan[]): string;
  /** Writes a change in percent. */
  signed(value: number): string;
  /** Writes a number of bytes. */
  size(value: number): string;
  /** Writes a moment, and below a day, from the text of the API. */
  time(value: string): string;
  day(value: string): string;
  /** Writes codes inside a sentence, such as the jobs that wait. */
  codes(value: TextCode[]): string;
};
type WriterName = keyof Writers;

const PLACE = /\{(\w+)(?::(\w+)|\|([^|}]*)\|([^|}]*))?\}/g;

/** Fills a template. A time, a site or a name among the values stands before the sentence. */
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
