// What the server says of its answers is data first: a code and its values. A sentence is made of them at the edge, from the table in
// src/lang/codes.ts: in English for the API and the terminal (sentences.ts), in the language of the reader on pages and in the dashboard.
//
//   coded('set_aside', { visits: 5, exclusions: 1 })
//   '{visits|visit is|visits are} set aside by {exclusions|exclusion|exclusions}.'   5 visits are set aside by 1 exclusion.
//
// A template names its values: {name}, {name|one|other} for a count with its word, and {name:kind} for a value that has a form of its
// own. The types take only a code of the table with all values of its template. Tables are not imported here, because a browser gets
// those of one language: test/embedded/bundle.test.ts.

import type { CODES } from './codes.ts';

export type Code = keyof typeof CODES;

/** Days as text, such as 2026-01-31; both ends belong to them. */
export type DaySpan = { from: string; to: string };

export type Value = string | number | DaySpan[] | TextCode[];
export type Values = Readonly<Record<string, Value>>;

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
  ...[values]: [NamesOf<One>] extends [never] ? [] : [Readonly<Record<NamesOf<One>, Value>>]
): Coded => ({ code, values: values ?? {} });

/** How values are written in a language, by the kind that a template gives them. */
export type Writers = {
  number(value: number): string;
  days(value: DaySpan[]): string;
  /** A change in percent. */
  signed(value: number): string;
  /** Bytes. */
  size(value: number): string;
  /** A moment and a day as text, as the API has them. */
  time(value: string): string;
  day(value: string): string;
  /** Codes inside a sentence, such as each reason why something waits. */
  codes(value: TextCode[]): string;
};
type Kind = keyof Writers;

const PLACE = /\{(\w+)(?::(\w+)|\|([^|}]*)\|([^|}]*))?\}/g;

function fill(template: string, values: Values, writers: Writers, rules: Intl.PluralRules): string {
  return template.replaceAll(PLACE, (whole, name: string, kind?: Kind, one?: string, other?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (kind) return (writers[kind] as (value: Value) => string)(value);
    if (typeof value !== 'number') return String(value);
    if (other === undefined) return writers.number(value);
    return `${writers.number(value)} ${rules.select(value) === 'one' ? one : other}`;
  });
}

type Templates = { sentence: string; prefixed: string };

/** The sentence of a template with its values; what it is of stands before it. */
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
