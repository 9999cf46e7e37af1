import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TRANSLATED } from '../../src/lang/languages.ts';
import { sayIn, type Text, type Texts } from '../../src/lang/messages.ts';
import { AREAS, type Area, TRANSLATIONS } from '../../src/lang/translations.ts';

const { codes, ...PLACES } = AREAS;
const AREAS_OF_MESSAGES: Area[] = [...new Set(Object.values(PLACES).flat())];

test('a message is said with its values, and in English where there is no other text', () => {
  const german: Texts = { 'From {one} to {other}': 'Von {one} bis {other}' };
  const say = { de: sayIn('de', german), en: sayIn('en', {}) };
  assert.equal(say.de.t('From {one} to {other}', { one: 1, other: '{one}' }), 'Von 1 bis {one}');
  assert.equal(say.en.t('From {one} to {other}', { one: 1, other: 2 }), 'From 1 to 2');
  assert.equal(say.de.t('Never {said}'), 'Never {said}');
});

test('things are counted by the rules and the numbers of the language', () => {
  const forms = {
    en: undefined,
    de: { one: '{count} Besuch', other: '{count} Besuche' },
    fr: { one: '{count} visite', other: '{count} visites' },
    es: { one: '{count} visita', other: '{count} visitas' },
  };
  const said = (language: 'en' | 'de' | 'fr' | 'es', count: number) =>
    sayIn(language, forms[language] ? { '{count} visits': forms[language] } : {}).plural(
      count,
      '{count} visit',
      '{count} visits',
    );
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
  for (const language of TRANSLATED) {
    for (const area of AREAS_OF_MESSAGES) {
      const texts: Texts = TRANSLATIONS[language][area];
      assert.deepEqual(Object.keys(texts).sort(), Object.keys(TRANSLATIONS.de[area]).sort(), `${area} in ${language}`);
      for (const [english, text] of Object.entries(texts)) {
        for (const form of typeof text === 'string' ? [text] : Object.values(text)) {
          assert.notEqual(form.trim(), '', `${english} in ${language}`);
          assert.deepEqual(namesIn(form), namesIn(english), `${english} in ${language}: ${form}`);
        }
        if (typeof text !== 'string')
          assert.deepEqual(Object.keys(text), ['one', 'other'], `${english} in ${language}`);
      }
    }
  }
});

test('a French text never breaks before a mark of two parts, nor inside its quotation marks', () => {
  const forms = Object.values(TRANSLATIONS.fr)
    .flatMap((texts: Texts) => Object.values(texts))
    .flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text)));
  assert.deepEqual(
    forms.filter((text) => /(?<! ni) [:;!?%»](?!\w)|« /.test(text)),
    [],
  );
});

test('a message stands in one area only, so that it has one translation', () => {
  const messages = AREAS_OF_MESSAGES.flatMap((area) => Object.keys(TRANSLATIONS.de[area]));
  assert.deepEqual(
    messages.filter((message, i) => messages.indexOf(message) !== i),
    [],
  );
  assert.deepEqual(
    Object.keys(TRANSLATIONS.de).sort(),
    [...AREAS_OF_MESSAGES, ...codes].sort(),
    'each area belongs to a place',
  );
});

/** Reasons in a list of dropped hits, in which other languages leave the word out. */
const WITHOUT_WORD = ['Hits for a site that does not exist on this server.', 'Hits above the daily limit of the site.'];

test('a hit is called a hit in each language, and roles have the same names in settings and invitations', () => {
  for (const language of TRANSLATED) {
    const all = AREAS_OF_MESSAGES.flatMap((area) => Object.entries<Text>(TRANSLATIONS[language][area]));
    const others = all.filter(([english, text]) => {
      const forms = typeof text === 'string' ? [text] : Object.values(text);
      return /\bhits?\b/i.test(english) && forms.some((form) => !/\bhits?\b/i.test(form));
    });
    assert.deepEqual(
      others.map(([english]) => english).filter((english) => !WITHOUT_WORD.includes(english)),
      [],
      language,
    );
    const texts = Object.fromEntries(all);
    for (const [inSettings, invited] of [
      ['Viewer', 'viewer'],
      ['Manager', 'manager'],
    ] as const)
      assert.equal(String(texts[inSettings]).toLowerCase(), String(texts[invited]).toLowerCase(), language);
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
  const messages = AREAS_OF_MESSAGES.flatMap((area) => Object.keys(TRANSLATIONS.de[area]));
  const unused = messages.filter((one) => !isBare(one) && !quoted(one).some((text) => code.includes(text)));
  assert.deepEqual(unused, []);
});
