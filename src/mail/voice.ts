import type { Language } from '../lang/languages.ts';
import { ALERTS } from '../lang/mails/alerts.ts';
import { NOTICES } from '../lang/mails/notices.ts';
import { PEOPLE } from '../lang/mails/people.ts';
import { REPORTS } from '../lang/mails/reports.ts';
import { type Say, sayIn, textsIn } from '../lang/messages.ts';
import { figuresIn, type MailFigures } from './figures.ts';

/** All messages of mails. The key of a message is its English text. */
export const MAILS = { ...REPORTS, ...ALERTS, ...PEOPLE, ...NOTICES };
export type MailMessage = keyof typeof MAILS;

export type Voice = Say<MailMessage> & MailFigures;

const voices = new Map<Language, Voice>();

/**
 * Gives the messages and figures of mails in one language. Making the formatters of a language is slow, so voices are
 * cached.
 */
export function voiceIn(language: Language): Voice {
  const voice = voices.get(language) ?? {
    ...sayIn<MailMessage>(language, textsIn(MAILS, language)),
    ...figuresIn(language),
  };
  voices.set(language, voice);
  return voice;
}
