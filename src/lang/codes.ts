import { ERRORS } from './codes/errors.ts';
import { FINDINGS } from './codes/findings.ts';
import { NOTICES } from './codes/notices.ts';
import type { Language } from './languages.ts';

/** The sentences of all codes, in each language. A test compares their values (test/lang/codes.test.ts). */
export const CODES = {
  /** The form of a sentence that has a site, a time or a name before it. */
  prefixed: { en: '{of}: {sentence}', de: '{of}: {sentence}', fr: '{of} : {sentence}', es: '{of}: {sentence}' },
  ...NOTICES,
  ...ERRORS,
  ...FINDINGS,
} as const;

/** Lists the sentences of all codes in one language. */
export const sentencesIn = (language: Language): Record<string, string> =>
  Object.fromEntries(Object.entries(CODES).map(([code, sentences]) => [code, sentences[language]]));
