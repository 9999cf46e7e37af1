import { ERRORS } from './codes/errors.ts';
import { FINDINGS } from './codes/findings.ts';
import { NOTICES } from './codes/notices.ts';
import type { Language } from './languages.ts';

/** A test checks that a sentence has the same values in all languages (test/lang/codes.test.ts). */
export const CODES = {
  /** This template is used if a time, a site or a name stands before the sentence. */
  prefixed: { en: '{of}: {sentence}', de: '{of}: {sentence}', fr: '{of} : {sentence}', es: '{of}: {sentence}' },
  ...NOTICES,
  ...ERRORS,
  ...FINDINGS,
} as const;

export const sentencesIn = (language: Language): Record<string, string> =>
  Object.fromEntries(Object.entries(CODES).map(([code, sentences]) => [code, sentences[language]]));
