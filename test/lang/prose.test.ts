import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS, measureTexts } from '../../scripts/prose.ts';
import { routes } from '../../src/api/routes.ts';
import { COMMAND_GROUPS } from '../../src/cli/commands.ts';
import { CODES } from '../../src/lang/codes.ts';
import { DE } from '../../src/lang/de.ts';
import { AREAS, type Place } from '../../src/lang/translations.ts';
import { OPTIONS } from '../../src/options.ts';

/** The English texts of a place. They are the keys of each translation. */
const listTexts = (place: Place): string[] => AREAS[place].flatMap((area) => Object.keys(DE[area]));

const commands = COMMAND_GROUPS.flatMap((group) => group.commands);

/** A help without the explanations in parentheses of a list, as --format of import has for each format. */
const withoutExplanations = (help: string): string => help.replaceAll(/ \([^)]*\)/g, '');

const TEXTS: Record<string, string[]> = {
  dashboard: listTexts('dashboard'),
  forms: listTexts('forms'),
  mails: listTexts('mails'),
  codes: Object.values(CODES),
  terminal: [
    ...commands.flatMap(({ summary, flags = {} }) => [summary, ...Object.values(flags).map(({ help }) => help)]),
    ...Object.values(OPTIONS).map(({ help }) => help),
  ].map(withoutExplanations),
  api: routes.map(({ summary }) => summary),
};

for (const [place, texts] of Object.entries(TEXTS)) {
  test(`texts: no sentence and no paragraph of the ${place} is too long, and most sentences are short`, () => {
    assert.ok(texts.length > 50, `${texts.length} texts`);
    const { median, longSentences, longParagraphs } = measureTexts(texts);
    assert.deepEqual([longSentences, longParagraphs], [[], []]);
    assert.ok(median <= LIMITS.median, `${median} words in a median sentence`);
  });
}

test('texts: a placeholder counts as one word, and a label is not in the median', () => {
  const found = measureTexts(['Save', '{visits|visit is|visits are} excluded.', 'One two three.\n\nA link:']);
  assert.deepEqual(found, { sentences: 4, median: 3, longSentences: [], longParagraphs: [] });
});
