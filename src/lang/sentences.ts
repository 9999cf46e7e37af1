import { type Coded, sentenceWith, type TextCode, type Writers } from './coded.ts';
import { CODES, type Code } from './codes.ts';
import type { Language } from './languages.ts';

/**
 * Writes the values in sentences for the API and the terminal. Programs read these sentences too. Therefore numbers
 * have no separators, and times stay as the API writes them.
 */
export const WRITERS: Omit<Writers, 'codes' | 'list'> = {
  number: String,
  days: (spans) => spans.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', '),
  /** Writes +12.3 % or −4 %. A real minus sign replaces the hyphen. */
  signed: (percent) => `${percent > 0 ? '+' : ''}${percent} %`.replace('-', '−'),
  /** Writes 0.3 kB, 12.4 MB or 1.2 GB. */
  size: (bytes) =>
    bytes < 50_000
      ? `${(bytes / 1e3).toFixed(1)} kB`
      : bytes < 1e9
        ? `${(bytes / 1e6).toFixed(1)} MB`
        : `${(bytes / 1e9).toFixed(1)} GB`,
  time: String,
  day: String,
};

/**
 * Writes the English sentence of a code (coded.ts). Worker threads use this function, so this file must not import
 * translations. Translations are larger than the whole program of a thread.
 */
export const inEnglish = (one: Coded): string => writeSentence(one, { language: 'en', sentences: CODES }, WRITERS);

/** A language, and the sentences of all codes in it. */
type Spoken = { language: Language; sentences: Record<Code, string> };

export function writeSentence({ code, values }: Coded, spoken: Spoken, plain: typeof WRITERS): string {
  const { language, sentences } = spoken;
  const join = (by: string) => (all: TextCode[]) =>
    all.map((one) => writeSentence(one as Coded, spoken, plain)).join(by);
  const lists = { codes: join('; '), list: join(', ') };
  // Backquotes mark text that people type. They are removed here, because only the dashboard uses them.
  const templates = { sentence: sentences[code].replaceAll('`', ''), prefixed: sentences.prefixed };
  return sentenceWith(templates, values, { ...plain, ...lists }, new Intl.PluralRules(language));
}
