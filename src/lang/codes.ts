import { ERRORS } from './codes/errors.ts';
import { FINDINGS } from './codes/findings.ts';
import { NOTICES } from './codes/notices.ts';
import type { Language } from './languages.ts';

/** The sentences of all codes, in each language. */
export const CODES = {
  /** What a sentence is of stands before it: a site among several, a time, or a name. */
  prefixed: { en: '{of}: {sentence}', de: '{of}: {sentence}', fr: '{of} : {sentence}', es: '{of}: {sentence}' },
  ...NOTICES,
  ...ERRORS,
  ...FINDINGS,
} as const;

/** Those in one language. */
export const sentencesIn = (language: Language): Record<string, string> =>
  Object.fromEntries(Object.entries(CODES).map(([code, sentences]) => [code, sentences[language]]));
