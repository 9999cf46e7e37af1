import type { DashboardMessage } from '../../lang/dashboard.ts';
import type { Language } from '../../lang/languages.ts';
import { type Say, sayIn, type Texts } from '../../lang/messages.ts';

let say: Say<DashboardMessage> = sayIn('en', {});
let loadLater = async (): Promise<void> => {};

/**
 * Sets the language of all texts. `later` loads the texts that the page does not need at once. main.tsx calls this
 * function once, before anything is shown.
 */
export function setLanguage(language: Language, texts: Texts, later?: () => Promise<{ texts: Texts }>): void {
  say = sayIn(language, texts);
  if (later)
    loadLater = async () => {
      say = sayIn(language, { ...texts, ...(await later()).texts });
    };
}

/**
 * Loads the texts that the page does not need at once. If the texts cannot be loaded, they are shown in English. The
 * browser fetches the file of these texts at the first call, so further calls cost nothing.
 */
export const loadAllTexts = (): Promise<void> => loadLater().catch(() => {});

export const t: Say<DashboardMessage>['t'] = (message, values) => say.t(message, values);
export const plural: Say<DashboardMessage>['plural'] = (count, one, other, values) =>
  say.plural(count, one, other, values);
export const sentenceOf: Say<DashboardMessage>['coded'] = (coded, writers) => say.coded(coded, writers);
export const language = (): Language => say.language;
