import { type Coded, type DaySpan, fill, type Writers } from './coded.ts';
import { CODES } from './codes.ts';
import type { Language } from './languages.ts';

/** As the API and the terminal write values: programs read them too. */
const WRITERS: Writers = {
  number: String,
  days: (spans: DaySpan[]) => spans.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', '),
  /** +12.3 %, −4 %; a minus sign and no hyphen. */
  signed: (percent) => `${percent > 0 ? '+' : ''}${percent} %`.replace('-', '−'),
};

const RULES = new Intl.PluralRules('en');

/** What a code says on a page of the server. */
export const inLanguage = ({ code, values }: Coded, language: Language): string => {
  const number = (value: number): string => value.toLocaleString(language);
  return fill(CODES[code][language], values, { ...WRITERS, number }, new Intl.PluralRules(language));
};

/** What a code says in English; of one site among several, its domain stands before. */
export function inEnglish({ code, values }: Coded): string {
  const sentence = fill(CODES[code].en, values, WRITERS, RULES);
  return values.site === undefined ? sentence : `${values.site}: ${sentence}`;
}
