import { type Language, languageOf } from '../lang/languages.ts';
import { findLanguage } from '../store/users.ts';
import type { C } from './form.ts';
import type { Pages } from './link.ts';
import { whoIs } from './session.ts';

/** The language that somebody has chosen, or else their browser's. */
export function languageFor(pages: Pages, c: C): Language {
  const who = whoIs(pages, c);
  return (who && findLanguage(pages.db, who.userId)) ?? languageOf(c.req.header('Accept-Language'));
}
