import { type Coded, sentenceWith, type Writers } from './coded.ts';
import { CODES } from './codes.ts';
import type { Language } from './languages.ts';

/** As the API and the terminal write values: programs read them too. */
const WRITERS: Writers = {
  number: String,
  days: (spans) => spans.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', '),
  /** +12.3 %, −4 %; a minus sign and no hyphen. */
  signed: (percent) => `${percent > 0 ? '+' : ''}${percent} %`.replace('-', '−'),
  size: (bytes) => (bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`),
  time: String,
  day: String,
};

const sentenceIn = ({ code, values }: Coded, language: Language, writers: Writers): string =>
  sentenceWith(
    { sentence: CODES[code][language], prefixed: CODES.prefixed[language] },
    values,
    writers,
    new Intl.PluralRules(language),
  );

/** What a code says in English. */
export const inEnglish = (one: Coded): string => sentenceIn(one, 'en', WRITERS);

/** What a code says on a page of the server. */
export const inLanguage = (one: Coded, language: Language): string =>
  sentenceIn(one, language, { ...WRITERS, number: (value) => value.toLocaleString(language) });
