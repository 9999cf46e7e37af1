import type { DashboardMessage } from '../../lang/dashboard.ts';
import type { Language } from '../../lang/languages.ts';
import { type Say, sayIn, type Texts } from '../../lang/messages.ts';

let say: Say<DashboardMessage> = sayIn('en', {});

/** Sets the language of all texts. It is called once, before anything is shown. */
export const setLanguage = (language: Language, texts: Texts): void => {
  say = sayIn(language, texts);
};

export const t: Say<DashboardMessage>['t'] = (message, values) => say.t(message, values);
export const plural: Say<DashboardMessage>['plural'] = (count, one, other, values) =>
  say.plural(count, one, other, values);
export const sentenceOf: Say<DashboardMessage>['coded'] = (coded, writers) => say.coded(coded, writers);
export const language = (): Language => say.language;
