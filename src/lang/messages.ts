import { fill, type Values, type Writers } from './coded.ts';
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

/** A sentence that a template may have made, with what stands in it where the template has values. */
function valuesIn(template: string, sentence: string): Words | undefined {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const literal = template.split(/\{\w+\}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const found = new RegExp(`^${literal.join('(.+?)')}$`, 'u').exec(sentence);
  return found ? Object.fromEntries(names.map((name, i) => [name, found[i + 1] ?? ''])) : undefined;
}

/** A template of hardly any letters would fit sentences of others. */
const LEAST_LETTERS = 12;
const isTelling = (template: string): boolean =>
  template.includes('{') && template.replaceAll(/\{\w+\}/g, '').length >= LEAST_LETTERS;

/** What says messages in a language. */
export type Say<Message extends string> = {
  language: Language;
  /** A message with its values. */
  t(message: Message, values?: Words): string;
  /** A message about so many things; both English forms are given, and `{count}` is written as people write numbers. */
  plural(count: number, one: string, other: Message, values?: Words): string;
  /** What a code says; undefined where it is not known. */
  coded(one: { code: string; values: Values }, writers: Writers): string | undefined;
  /** A sentence that the server has said in English, in the language if it is known. */
  retold(sentence: string): string;
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
      const text = texts[code];
      if (typeof text !== 'string') return undefined;
      const sentence = fill(text, values, writers, rules);
      return values.site === undefined
        ? sentence
        : filled(texts.of_site as string, { site: String(values.site), sentence });
    },
    retold(sentence) {
      const known = texts[sentence];
      if (typeof known === 'string') return known;
      for (const [template, text] of Object.entries(texts)) {
        const values = typeof text === 'string' && isTelling(template) ? valuesIn(template, sentence) : undefined;
        if (values) return filled(text as string, values);
      }
      return sentence;
    },
  };
}
