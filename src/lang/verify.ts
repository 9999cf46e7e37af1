import { NOTICES } from './codes/notices.ts';
import { RECEIPTS } from './codes/receipts.ts';
import { LANGUAGES, type Language } from './languages.ts';
import type { Text, Texts } from './messages.ts';
import { TRANSLATIONS } from './translations.ts';

/**
 * The messages of the area `common` that verify.html shows. With all messages of that area, verify.html would be a
 * tenth larger.
 */
const SHARED = ['Visitors', 'Visits', 'Pageviews', 'Events'] as const;

/**
 * The texts of verify.html. The page has all languages, because it must work without a server. To save space, all
 * languages share one list of keys, `names`. The first text of each language belongs to the first key, and so on.
 * In English, only `prefixed` and the faults in receipts (`RECEIPTS`) have texts, because their keys are codes. The key
 * of any other message is the English text itself, so its text in the list is empty.
 */
export type VerifyTexts = { names: string[]; texts: Record<Language, Text[]> };

export function listVerifyTexts(): VerifyTexts {
  const tables = LANGUAGES.map((language): [Language, Texts] => [language, tableIn(language)]);
  const names = Object.keys(tableIn('de'));
  const texts = tables.map(([language, table]) => [language, names.map((name) => table[name] ?? '')]);
  return { names, texts: Object.fromEntries(texts) };
}

function tableIn(language: Language): Texts {
  if (language === 'en') return { ...RECEIPTS, prefixed: NOTICES.prefixed };
  const { receipts, verifying, common, notices } = TRANSLATIONS[language];
  return {
    ...receipts,
    ...verifying,
    prefixed: notices.prefixed,
    ...Object.fromEntries(SHARED.map((name) => [name, common[name]])),
  };
}
