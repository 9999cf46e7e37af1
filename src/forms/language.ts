import { type Language, languageOf } from '../lang/languages.ts';
import { findLanguage } from '../store/people/users.ts';
import type { C } from './form.ts';
import type { Pages } from './link.ts';
import { type PageSay, pageSay } from './say.ts';
import { whoIs } from './session.ts';

/** The language that somebody has chosen, or else their browser's. */
export function languageFor(pages: Pages, c: C): Language {
  const who = whoIs(pages, c);
  return (who && findLanguage(pages.db, who.userId)) ?? languageOf(c.req.header('Accept-Language'));
}

/** What the pages say to whoever asks. */
export const sayFor = (pages: Pages, c: C): PageSay => pageSay(languageFor(pages, c));

/** The same in the language of the browser, where it does not matter who asks. */
export const browserSay = (c: C): PageSay => pageSay(languageOf(c.req.header('Accept-Language')));
