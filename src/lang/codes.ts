import { ERRORS } from './codes/errors.ts';
import { NOTICES } from './codes/notices.ts';
import type { Language } from './languages.ts';

/** The sentences of all codes, in each language. */
export const CODES = {
  /** Stands before what is said of one site among several. */
  of_site: { en: '{site}: {sentence}', de: '{site}: {sentence}', fr: '{site} : {sentence}', es: '{site}: {sentence}' },
  ...NOTICES,
  ...ERRORS,
} as const;

/** Those in one language. */
export const sentencesIn = (language: Language): Record<string, string> =>
  Object.fromEntries(Object.entries(CODES).map(([code, sentences]) => [code, sentences[language]]));
