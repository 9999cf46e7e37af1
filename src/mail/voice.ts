import type { Language } from '../lang/languages.ts';
import { ALERTS } from '../lang/mails/alerts.ts';
import { NOTICES } from '../lang/mails/notices.ts';
import { PEOPLE } from '../lang/mails/people.ts';
import { REPORTS } from '../lang/mails/reports.ts';
import { type Say, sayIn, textsIn } from '../lang/messages.ts';
import { type Figures, figuresIn } from './figures.ts';

/** What mails say, by its English text. */
export const MAILS = { ...REPORTS, ...ALERTS, ...PEOPLE, ...NOTICES };
export type MailMessage = keyof typeof MAILS;

/** What mails are written with: messages and figures of one language. */
export type Voice = Say<MailMessage> & Figures;

const voices = new Map<Language, Voice>();

/** It is kept, because its formatters take a while to make. */
export function voiceIn(language: Language): Voice {
  const voice = voices.get(language) ?? {
    ...sayIn<MailMessage>(language, textsIn(MAILS, language)),
    ...figuresIn(language),
  };
  voices.set(language, voice);
  return voice;
}
