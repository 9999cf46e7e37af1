import type { Language } from '../lang/languages.ts';
import { ALERTS } from '../lang/mails/alerts.ts';
import { NOTICES } from '../lang/mails/notices.ts';
import { PEOPLE } from '../lang/mails/people.ts';
import { REPORTS } from '../lang/mails/reports.ts';
import { type Say, sayIn, textsIn } from '../lang/messages.ts';
import { figuresIn, type MailFigures } from './figures.ts';

/** The messages of all mails by their English text. */
export const MAILS = { ...REPORTS, ...ALERTS, ...PEOPLE, ...NOTICES };
export type MailMessage = keyof typeof MAILS;

/** The voice of a mail: messages and figures of one language. */
export type Voice = Say<MailMessage> & MailFigures;

const voices = new Map<Language, Voice>();

/** Gives the voice of a language. Voices are cached, because their formatters are slow to make. */
export function voiceIn(language: Language): Voice {
  const voice = voices.get(language) ?? {
    ...sayIn<MailMessage>(language, textsIn(MAILS, language)),
    ...figuresIn(language),
  };
  voices.set(language, voice);
  return voice;
}
