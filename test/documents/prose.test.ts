import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS, measureProse } from '../../scripts/prose.ts';
import { DOCUMENTS, textOf } from './documents.ts';

const words = (count: number): string => `${'Word '.repeat(count).trim()}.`;

test('documents: words are counted as a reader sees them', () => {
  const text = [
    '# A heading of five words',
    'One [two](https://example.com/a/b) `three and more`. Four.',
    '```\ncode that counts nothing\n```',
    '* One item\n  that goes on.\n* Another one.',
    '| a cell | another cell here |\n|---|---|',
  ].join('\n\n');
  assert.deepEqual(measureProse(text), { sentences: 6, median: 3, longSentences: [], longParagraphs: [] });
});

test('documents: a sentence and a paragraph that are too long are named', () => {
  const long = words(LIMITS.sentence + 1);
  const found = measureProse(`${words(LIMITS.sentence)}\n\n${long}\n\n${`${words(9)} `.repeat(9)}`);
  assert.deepEqual(found.longSentences, [long]);
  assert.equal(found.longParagraphs.length, 1);
});

test('documents: no sentence and no paragraph is too long, and most sentences are short', () => {
  for (const document of DOCUMENTS) {
    const { median, longSentences, longParagraphs } = measureProse(textOf(document));
    assert.deepEqual([longSentences, longParagraphs], [[], []], document);
    assert.ok(median <= LIMITS.median, `${document}: ${median} words in a median sentence`);
  }
});
