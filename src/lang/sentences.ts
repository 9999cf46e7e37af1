import { type Coded, sentenceWith, type TextCode, type Writers } from './coded.ts';
import type { Language } from './languages.ts';
import { sentencesIn } from './translations.ts';

/**
 * Writes the values in sentences for the API and the terminal. Programs read these sentences too, therefore numbers and
 * times keep their form.
 */
const WRITERS: Omit<Writers, 'codes' | 'list'> = {
  number: String,
  days: (spans) => spans.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', '),
  /** Writes +12.3 % or −4 %. A real minus sign replaces the hyphen. */
  signed: (percent) => `${percent > 0 ? '+' : ''}${percent} %`.replace('-', '−'),
  size: (bytes) => (bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`),
  time: String,
  day: String,
};

export const inEnglish = (one: Coded): string => writeSentence(one, 'en', WRITERS);

/** Writes the sentence of a code in the user's language, for pages of the server. */
export const inLanguage = (one: Coded, language: Language): string =>
  writeSentence(one, language, { ...WRITERS, number: (value) => value.toLocaleString(language) });

function writeSentence({ code, values }: Coded, language: Language, plain: typeof WRITERS): string {
  const join = (by: string) => (all: TextCode[]) =>
    all.map((one) => writeSentence(one as Coded, language, plain)).join(by);
  const lists = { codes: join('; '), list: join(', ') };
  // Backquotes mark text that people type. They are removed here, because only the dashboard uses them.
  const sentences = sentencesIn(language);
  const templates = { sentence: sentences[code].replaceAll('`', ''), prefixed: sentences.prefixed };
  return sentenceWith(templates, values, { ...plain, ...lists }, new Intl.PluralRules(language));
}
