import { type Language, readPreferredLanguage } from '../lang/languages.ts';
import { findLanguage } from '../store/people/users.ts';
import type { C } from './form.ts';
import type { Pages } from './link.ts';
import { makePageSay, type PageSay } from './say.ts';
import { readSignedIn } from './session.ts';

/** Chooses the language that the user has set, or else the language of the browser. */
export function chooseLanguage(pages: Pages, c: C): Language {
  const who = readSignedIn(pages, c);
  return (who && findLanguage(pages.db, who.userId)) ?? readPreferredLanguage(c.req.header('Accept-Language'));
}

export const chooseSay = (pages: Pages, c: C): PageSay => makePageSay(chooseLanguage(pages, c));

/**
 * Chooses the texts in the browser's language. This function needs no database. So error pages can be written even if
 * the database fails.
 */
export const chooseBrowserSay = (c: C): PageSay => makePageSay(readPreferredLanguage(c.req.header('Accept-Language')));
