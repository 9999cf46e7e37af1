import { sentenceWith, type Values, type Writers } from './coded.ts';
import type { Language, Translated } from './languages.ts';

/** A message in one language: a text, or one for each plural form that the language has. `{name}` stands for a value. */
type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;

/** A message by its English text, which for counted things is the plural. */
export type Messages = Record<string, Record<Translated, Text>>;

/** All messages in one language; without those of English, which stand where they are used. */
export type Texts = Record<string, Text>;

type Words = Record<string, string | number>;

export const textsIn = (messages: Messages, language: Language): Texts =>
  language === 'en'
    ? {}
    : Object.fromEntries(Object.entries(messages).map(([english, texts]) => [english, texts[language]]));

const filled = (text: string, values: Words): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** What says messages in a language. */
export type Say<Message extends string> = {
  language: Language;
  /** A message with its values. */
  t(message: Message, values?: Words): string;
  /** A message about so many things; both English forms are given, and `{count}` is written as people write numbers. */
  plural(count: number, one: string, other: Message, values?: Words): string;
  /** What a code says; undefined where it is not known. */
  coded(one: { code: string; values: Values }, writers: Writers): string | undefined;
};

export function sayIn<Message extends string>(language: Language, texts: Texts): Say<Message> {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return {
    language,
    t(message, values = {}) {
      const text = texts[message];
      return filled(typeof text === 'string' ? text : message, values);
    },
    plural(count, one, other, values = {}) {
      const form = rules.select(count);
      const text = texts[other] ?? { one, other };
      const chosen = typeof text === 'string' ? text : (text[form] ?? text.other ?? other);
      return filled(chosen, { count: numbers.format(count), ...values });
    },
    coded({ code, values }, writers) {
      const sentence = texts[code];
      if (typeof sentence !== 'string') return undefined;
      return sentenceWith({ sentence, prefixed: String(texts.prefixed) }, values, writers, rules);
    },
  };
}
