import type { Language } from '../lang/languages.ts';
import { type Say, sayIn } from '../lang/messages.ts';
import { type MessageIn, textsIn } from '../lang/translations.ts';
import { type Html, html } from './html.ts';

export type PageMessage = MessageIn<'forms'>;
export type PageSay = Say<PageMessage>;

const all = new Map<Language, PageSay>();

/**
 * Returns the texts and formatters of a language. Texts and formatters stay in memory, because making formatters is
 * slow.
 */
export function makePageSay(language: Language): PageSay {
  const say = all.get(language) ?? sayIn<PageMessage>(language, textsIn('forms', language));
  all.set(language, say);
  return say;
}

/** Puts HTML into a message, such as a link for {link}. The text of the message is escaped. */
export function fillHtml(message: string, values: Record<string, Html>): Html {
  const parts = message.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 1 ? (values[part] ?? html``) : html`${part}`));
  return parts.reduce((all, one) => html`${all}${one}`);
}
