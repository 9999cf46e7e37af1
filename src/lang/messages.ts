import { sentenceWith, type Values, type Writers } from './coded.ts';
import type { Language, Translated } from './languages.ts';

/** A message in one language: a text, or a text for each plural form of the language. `{name}` stands for a value. */
type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;

/** Messages by their English text. A counted message is found by its English plural. */
export type Messages = Record<string, Record<Translated, Text>>;

/** All messages in one language. For English there are none, because English stands in the code. */
export type Texts = Record<string, Text>;

type Words = Record<string, string | number>;

export const textsIn = (messages: Messages, language: Language): Texts =>
  language === 'en'
    ? {}
    : Object.fromEntries(Object.entries(messages).map(([english, texts]) => [english, texts[language]]));

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

const filled = (text: string, values: Words): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** The functions that give messages in one language. */
export type Say<Message extends string> = {
  language: Language;
  /** Gives a message with its values. */
  t(message: Message, values?: Words): string;
  /** Gives a message about a count. Both English forms are passed; `{count}` is written with separators of the language. */
  plural(count: number, one: string, other: Message, values?: Words): string;
  /** Gives the sentence of a code. Undefined means that the code is not known here. */
  coded(one: { code: string; values: Values }, writers: Writers): string | undefined;
};
