import { sentenceWith, type Values, type Writers } from './coded.ts';
import type { Language } from './languages.ts';

/**
 * A message in one language: a text, or a text for each plural form of the language. `{name}` is replaced by a value.
 */
export type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;

/**
 * All messages in one language. The key of a message is its English text. The table may also have sentences of codes.
 * The key of such a sentence is its code. An English table has only sentences of codes, or nothing.
 */
export type Texts = Record<string, Text>;

type Words = Record<string, string | number>;

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

export type Say<Message extends string> = {
  language: Language;
  t(message: Message, values?: Words): string;
  /**
   * Returns a message about a count. The caller passes both English forms. `{count}` is written with the separators of
   * the language.
   */
  plural(count: number, one: string, other: Message, values?: Words): string;
  /** Returns the sentence of a code. Returns undefined if the texts of the language lack the code. */
  coded(one: { code: string; values: Values }, writers: Writers): string | undefined;
};
