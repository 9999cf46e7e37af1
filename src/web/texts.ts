import type { DashboardMessage } from '../lang/dashboard.ts';
import type { Language } from '../lang/languages.ts';
import { type Say, sayIn, type Texts } from '../lang/messages.ts';

let said: Say<DashboardMessage> = sayIn('en', {});

/** Called once, before anything is shown: all that is said is in one language. */
export const setLanguage = (language: Language, texts: Texts): void => {
  said = sayIn(language, texts);
};

export const t: Say<DashboardMessage>['t'] = (message, values) => said.t(message, values);
export const plural: Say<DashboardMessage>['plural'] = (count, one, other, values) =>
  said.plural(count, one, other, values);
/** A notice or an error of the server, which speaks English. */
export const retold = (sentence: string): string => said.retold(sentence);
export const language = (): Language => said.language;
