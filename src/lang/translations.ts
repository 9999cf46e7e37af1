// Joins the texts of all languages. A place is a part of the program, such as the mails. Each place uses some areas
// (tables of texts), such as `reports` and `alerts`.
//
// Invariant: a message is in one area only, therefore it has one translation (test/lang/messages.test.ts). English has
// no table, because the English text is the key of a message.
//
// Example: `textsIn('mails', 'de')['Bounce rate']` is 'Absprungrate'.

import { CODES, type Code } from './codes.ts';
import { DE } from './de.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import type { Language, Translated } from './languages.ts';
import type { Text, Texts } from './messages.ts';

/**
 * Returns all messages of one place in one language. The key of a message is its English text. In the place `codes`,
 * the key of a sentence is its code. For English, the table is empty.
 */
export function textsIn(place: Place, language: Language): Texts {
  if (language === 'en') return {};
  return Object.assign({}, ...AREAS[place].map((area) => TRANSLATIONS[language][area]));
}

/** Returns the sentences of all codes in one language. */
export const sentencesIn = (language: Language): Record<Code, string> =>
  language === 'en' ? CODES : (textsIn('codes', language) as Record<Code, string>);

export const TRANSLATIONS: Record<Translated, Translation> = { de: DE, fr: FR, es: ES };

/**
 * The areas of each place. A place is a part of the program with its own messages. The place `codes` has the areas with
 * sentences of codes.
 */
export const AREAS = {
  dashboard: [
    'common',
    'frame',
    'parts',
    'sites',
    'site',
    'dialogs',
    'panels',
    'lowerPanels',
    'explore',
    'exclusions',
    'settings',
    'siteSettings',
    'snippet',
    'account',
    'server',
  ],
  forms: ['common', 'signingIn', 'joining', 'accountForms', 'privacy'],
  mails: ['common', 'reports', 'alerts', 'people', 'accountNotices'],
  verify: ['common', 'verifying'],
  codes: ['notices', 'errors', 'findings', 'receipts', 'imports'],
} as const satisfies Record<string, readonly Area[]>;

export type Area = keyof typeof DE;
export type Place = keyof typeof AREAS;

/**
 * The texts of one language. A language has the same keys as German, therefore a type error names each missing text.
 */
export type Translation = { [One in Area]: Record<keyof (typeof DE)[One], Text> };

/** The keys of all messages of a place. */
export type MessageIn<One extends Place> = KeysOf<(typeof DE)[(typeof AREAS)[One][number]]>;
type KeysOf<Table> = Table extends unknown ? keyof Table & string : never;
