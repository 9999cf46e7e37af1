import type { Language } from '../lang/languages.ts';
import { type Say, sayIn } from '../lang/messages.ts';
import { type MessageIn, textsIn } from '../lang/translations.ts';
import { figuresIn, type MailFigures } from './figures.ts';

export type MailMessage = MessageIn<'mails'>;

export type Voice = Say<MailMessage> & MailFigures & { language: Language };

const voices = new Map<Language, Voice>();

/** Returns the texts and formatters of a language. Making formatters is slow, so they are cached. */
export function voiceIn(language: Language): Voice {
  const voice = voices.get(language) ?? {
    ...sayIn<MailMessage>(language, textsIn('mails', language)),
    ...figuresIn(language),
    language,
  };
  voices.set(language, voice);
  return voice;
}
