/**
 * The pages about how daybook works name every folder, are short to read, and have a drawing each.
 *
 * A drawing is two files that differ in colours only, and all colours are of the palette. For example, the accent is #14614f in
 * `hit-light.svg` and #6fc7ae in `hit-dark.svg`. White in light is two colours in dark: that of cards, and of text on the accent.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LIMITS, measureProse } from '../../scripts/prose.ts';
import { type Colour, dark, light } from '../../src/embedded/palette.ts';
import { ROOT, textOf, WAYS } from './documents.ts';

const MAP = 'docs/how-it-works.md';
const PAGES = [MAP, ...WAYS];
const SHORT = { ...LIMITS, sentence: 20 };

const COLOUR = /#[\da-f]{6}\b/g;

/** The colours of a drawing in light and dark that are no colour of the palette in both. */
function listOdd(inLight: string, inDark: string): string[] {
  const pairs = new Set((Object.keys(light) as Colour[]).map((name) => `${light[name]} ${dark[name]}`));
  const others = inDark.match(COLOUR) ?? [];
  return (inLight.match(COLOUR) ?? []).map((colour, i) => `${colour} ${others[i]}`).filter((pair) => !pairs.has(pair));
}

test('how it works: the tables name every folder of src once, and nothing else', () => {
  const entries = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(ROOT, 'src').length + 1));
  const named = [...textOf(MAP).matchAll(/^\| `([\w/]+)` \| \S/gm)].map(([, name = '']) => name);
  assert.deepEqual(named.sort(), folders.sort());
});

test('how it works: no paragraph has more than 80 words, and no sentence more than 20', () => {
  for (const page of PAGES) {
    const { sentences, longSentences, longParagraphs } = measureProse(textOf(page), SHORT);
    assert.ok(sentences > 10, page);
    assert.deepEqual([longSentences, longParagraphs], [[], []], page);
  }
});

test('how it works: each way has a page with a drawing, which is the same in light and dark', () => {
  assert.deepEqual(
    WAYS.map((page) => page.slice('docs/how/'.length)),
    ['day.md', 'hit.md', 'query.md', 'request.md'],
  );
  for (const page of WAYS) {
    assert.ok(textOf(MAP).includes(`](${page.slice('docs/'.length)})`), page);
    const name = page.slice('docs/how/'.length, -'.md'.length);
    const text = textOf(page);
    assert.ok(text.includes(`<source media="(prefers-color-scheme: dark)" srcset="${name}-dark.svg">`), page);
    assert.match(text, new RegExp(`<img src="${name}-light\\.svg" alt="[^"]{40,}">`));
    const [inLight, inDark] = [textOf(`docs/how/${name}-light.svg`), textOf(`docs/how/${name}-dark.svg`)];
    assert.equal(inDark.replaceAll(COLOUR, ''), inLight.replaceAll(COLOUR, ''), page);
    assert.deepEqual(listOdd(inLight, inDark), [], page);
  }
});
