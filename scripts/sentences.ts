// Picks sentences at random for a reader whose first language is English or another one of the interface. The seed
// decides which ones, so that two readers see the same. CONTRIBUTING says how many of them must be clear.
//
// Usage: node scripts/sentences.ts SEED COUNT documents|en|de|fr|es Example: `node scripts/sentences.ts 7 100 de`
// prints 100 German texts of the interface, each with its English text.

import { readFileSync } from 'node:fs';
import { CODES } from '../src/lang/codes.ts';
import { isLanguage, type Language } from '../src/lang/languages.ts';
import { AREAS, sentencesIn, textsIn } from '../src/lang/translations.ts';
import { seeded } from '../src/lib/seeded.ts';
import { listDocuments, listParagraphs, splitSentences } from './prose.ts';

const [seed = '1', count = '100', what = 'documents'] = process.argv.slice(2);

/** Lists the sentences of the documents, each with its page. */
const readDocuments = (): string[] =>
  listDocuments().flatMap((path) =>
    listParagraphs(readFileSync(path, 'utf8').replaceAll(/(?<!`)`([^`]+)`(?!`)/g, keepCode))
      .filter(({ isCell }) => !isCell)
      .flatMap(({ text }) => splitSentences(text))
      .map((sentence) => `${path}: ${sentence}`),
  );

/**
 * Keeps code in a sentence. The code may continue on the next line. Its blanks do not break, so it counts as one word.
 * Its angle brackets change their form, because HTML is removed.
 */
const keepCode = (_: string, code: string): string =>
  code.replaceAll(/\s+/g, '\u00a0').replaceAll('<', '‹').replaceAll('>', '›');

/**
 * Lists the texts of the interface, except texts that only have placeholders. A translation stands below its English
 * text.
 */
function readInterface(language: Language): string[] {
  const pairs = [
    ...(Object.keys(AREAS) as (keyof typeof AREAS)[])
      .filter((place) => place !== 'codes')
      .flatMap((place) => Object.entries(textsIn(place, language === 'en' ? 'de' : language))),
    ...Object.entries(sentencesIn(language)).map(([code, text]) => [CODES[code as keyof typeof CODES], text]),
  ];
  const texts = new Map(
    pairs.map(([english, text]) => [String(english), text]).filter(([english]) => hasWords(english)),
  );
  return [...texts].map(([english, text]) => (language === 'en' ? english : `${english}\n   ${JSON.stringify(text)}`));
}

/** Tells texts such as "{of}: {sentence}" from texts with words of their own. */
const hasWords = (text: unknown): boolean => /\p{L}/u.test(String(text).replaceAll(/\{[^{}]*\}/g, ''));

const all = isLanguage(what) ? readInterface(what) : readDocuments();
const random = seeded(Number(seed));
const picked = all.map((text) => ({ text, at: random() })).sort((one, other) => one.at - other.at);
console.log(`${Math.min(Number(count), all.length)} of ${all.length} (${what}), seed ${seed}`);
for (const [i, { text }] of picked.slice(0, Number(count)).entries()) console.log(`\n${i + 1}. ${text}`);
