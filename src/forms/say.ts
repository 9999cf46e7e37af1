import { ACCOUNT } from '../lang/forms/account.ts';
import { JOINING } from '../lang/forms/joining.ts';
import { SIGNING_IN } from '../lang/forms/signing-in.ts';
import type { Language } from '../lang/languages.ts';
import { type Say, sayIn, textsIn } from '../lang/messages.ts';
import { type Html, html } from './html.ts';

/** All texts of the pages. The English text is the key. */
export const PAGES = { ...SIGNING_IN, ...JOINING, ...ACCOUNT };
export type PageMessage = keyof typeof PAGES;
export type PageSay = Say<PageMessage>;

const all = new Map<Language, PageSay>();

/** Makes the texts of a language only once, because making formatters takes long. */
export function makePageSay(language: Language): PageSay {
  const say = all.get(language) ?? sayIn<PageMessage>(language, textsIn(PAGES, language));
  all.set(language, say);
  return say;
}

/** Fills a message with values that are HTML. The message itself is escaped. */
export function fillHtml(message: string, values: Record<string, Html>): Html {
  const parts = message.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 1 ? (values[part] ?? html``) : html`${part}`));
  return parts.reduce((all, one) => html`${all}${one}`);
}
