import { ERRORS } from './codes/errors.ts';
import { FINDINGS } from './codes/findings.ts';
import { IMPORTS } from './codes/imports.ts';
import { NOTICES } from './codes/notices.ts';
import type { Language } from './languages.ts';
import type { Texts } from './messages.ts';
import { AREAS, type Area, type MessageIn, TRANSLATIONS } from './translations.ts';

/**
 * Lists the texts of one file of the dashboard in one language. A browser first loads the file `first`, and then
 * `later`. A file has the texts of several areas, such as `sites` or `errors`. An English file has only the sentences
 * of codes, because the scripts contain all other English texts.
 */
export const textsInFile = (file: TextFile, language: Language): Texts =>
  Object.assign({}, ...TEXT_FILES[file].map((area) => tablesIn(language)[area]));

/** Lists all texts of the dashboard in one language. */
export const dashboardTexts = (language: Language): Texts => ({
  ...textsInFile('first', language),
  ...textsInFile('later', language),
});

const tablesIn = (language: Language): Partial<Record<Area, Texts>> =>
  language === 'en'
    ? { notices: NOTICES, errors: ERRORS, findings: FINDINGS, imports: IMPORTS }
    : TRANSLATIONS[language];

export type TextFile = 'first' | 'later';

/**
 * The areas whose texts a site's report may show as soon as it opens. An area is a group of texts, such as `sites`.
 * test/lang/first-view.test.ts checks that these areas have all texts of the script that loads first.
 */
const FIRST: readonly Area[] = ['common', 'frame', 'parts', 'sites', 'site', 'dialogs', 'panels', 'notices'];

const TEXT_FILES: Record<TextFile, readonly Area[]> = {
  first: FIRST,
  later: [...AREAS.dashboard, ...AREAS.codes].filter((area) => !FIRST.includes(area) && area !== 'receipts'),
};

export type DashboardMessage = MessageIn<'dashboard'>;
