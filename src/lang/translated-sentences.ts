import type { Coded } from './coded.ts';
import type { Language } from './languages.ts';
import { WRITERS, writeSentence } from './sentences.ts';
import { sentencesIn } from './translations.ts';

/** Writes the sentence of a code in the user's language, for pages and mails of the server. */
export const inLanguage = (one: Coded, language: Language): string =>
  writeSentence(
    one,
    { language, sentences: sentencesIn(language) },
    { ...WRITERS, number: (value) => value.toLocaleString(language) },
  );
