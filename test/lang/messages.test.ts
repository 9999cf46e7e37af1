import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PAGES } from '../../src/forms/say.ts';
import { DASHBOARD } from '../../src/lang/dashboard.ts';
import { TRANSLATED } from '../../src/lang/languages.ts';
import { type Messages, sayIn, textsIn } from '../../src/lang/messages.ts';
import { MAILS } from '../../src/mail/voice.ts';

const TABLES: Record<string, Messages> = { DASHBOARD, MAILS, PAGES };
const all = Object.entries(TABLES).flatMap(([table, messages]) =>
  Object.entries(messages).map(([english, texts]) => ({ table, english, texts })),
);

test('a message is said with its values, and in English where there is no other text', () => {
  const messages: Messages = {
    'From {one} to {other}': { de: 'Von {one} bis {other}', fr: 'De {one} à {other}', es: 'De {one} a {other}' },
  };
  const say = (language: 'en' | 'de') => sayIn(language, textsIn(messages, language));
  assert.equal(say('de').t('From {one} to {other}', { one: 1, other: '{one}' }), 'Von 1 bis {one}');
  assert.equal(say('en').t('From {one} to {other}', { one: 1, other: 2 }), 'From 1 to 2');
  assert.equal(say('de').t('Never {said}'), 'Never {said}');
});

test('things are counted by the rules and the numbers of the language', () => {
  const messages: Messages = {
    '{count} visits': {
      de: { one: '{count} Besuch', other: '{count} Besuche' },
      fr: { one: '{count} visite', other: '{count} visites' },
      es: { one: '{count} visita', other: '{count} visitas' },
    },
  };
  const said = (language: 'en' | 'de' | 'fr' | 'es', count: number) =>
    sayIn(language, textsIn(messages, language)).plural(count, '{count} visit', '{count} visits');
  assert.deepEqual(
    [0, 1, 2, 1_234_567].map((count) => said('en', count)),
    ['0 visits', '1 visit', '2 visits', '1,234,567 visits'],
  );
  assert.deepEqual([said('de', 1), said('de', 12_345)], ['1 Besuch', '12.345 Besuche']);
  // None is one in French, and millions have a form of their own.
  assert.deepEqual([said('fr', 0), said('fr', 2)], ['0 visite', '2 visites']);
  assert.equal(said('fr', 1_000_000).replaceAll(/\s/g, ' '), '1 000 000 visites');
  assert.equal(said('es', 1_000_000), '1.000.000 visitas');
});

const namesIn = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

test('every message has a text in every language, with the same values', () => {
  for (const { english, texts } of all) {
    for (const language of TRANSLATED) {
      const text = texts[language];
      const forms = typeof text === 'string' ? [text] : Object.values(text);
      for (const form of forms) {
        assert.notEqual(form.trim(), '', `${english} in ${language}`);
        assert.deepEqual(namesIn(form), namesIn(english), `${english} in ${language}: ${form}`);
      }
      if (typeof text !== 'string') assert.deepEqual(Object.keys(text), ['one', 'other'], `${english} in ${language}`);
    }
  }
});

test('every message is said somewhere', () => {
  const source = join(import.meta.dirname, '../../src');
  const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('lang/'))
    .map((name) => readFileSync(join(source, name), 'utf8'))
    .join('\n');
  const quoted = (text: string): string[] => [`'${text.replaceAll("'", "\\'")}'`, `"${text}"`, `\`${text}\``];
  const isBare = (text: string): boolean => /^\w+$/.test(text) && new RegExp(`\\b${text}\\b`).test(code);
  const unused = all.filter(({ english }) => !isBare(english) && !quoted(english).some((text) => code.includes(text)));
  assert.deepEqual(
    unused.map(({ english }) => english),
    [],
  );
});
