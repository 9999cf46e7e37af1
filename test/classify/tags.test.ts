import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTags } from '../../src/classify/source.ts';
import { anyText } from '../support/text.ts';

const RUNS = { numRuns: 2_000 };

const tagsAt = (query: string) => readTags(new URL(`https://example.com/a${query}`));

const NONE = { source: '', medium: '', campaign: '', term: '', content: '', ad: '' };

test('tags are those of the address', () => {
  assert.deepEqual(tagsAt('?utm_source=news&utm_medium=email&utm_campaign=may+day&utm_term=x&gclid=1'), {
    source: 'news',
    medium: 'email',
    campaign: 'may day',
    term: 'x',
    content: '',
    ad: 'google',
  });
  assert.deepEqual(tagsAt('?utm_term=+red+shoes&utm_content=logo'), { ...NONE, term: 'red shoes', content: 'logo' });
  assert.deepEqual(tagsAt(''), NONE);
  assert.deepEqual(tagsAt('?a=b#utm_source=c'), NONE);
});

test('source, then ref, stand for utm_source where it is absent or blank', () => {
  const found: [query: string, source: string][] = [
    ['?ref=c', 'c'],
    ['?ref=c&source=b', 'b'],
    ['?ref=c&source=b&utm_source=a', 'a'],
    ['?utm_source=&source=b', 'b'],
    ['?utm_source=%20%09+&source=%20&ref=c', 'c'],
    ['?utm_source', ''],
    ['?UTM_SOURCE=a', ''],
  ];
  for (const [query, source] of found) assert.equal(tagsAt(query).source, source, query);
});

test('of repeated tags the first counts, even where it is blank', () => {
  assert.equal(tagsAt('?utm_source=a&utm_source=b').source, 'a');
  assert.equal(tagsAt('?utm_medium=&utm_medium=b').medium, '');
});

test('a tag with an e-mail address in it counts as absent, and so does a key in source or ref', () => {
  const [ann, uuid, hex] = ['ann@example.com', '0b6e4f7a-6c1e-4b9e-9d4f-2f6d2c1a7b90', '9f86d081884c7d659a2feaa0'];
  const found: [query: string, source: string][] = [
    [`?ref=${ann}`, ''],
    ['?ref=ann%40example.com', ''],
    ['?ref=ann%2540example.com', ''],
    [`?source=Ann+<${ann}>`, ''],
    [`?utm_source=${ann}&source=news`, 'news'],
    [`?utm_source=${'a'.repeat(195)}${ann}`, ''],
    [`?ref=${uuid}`, ''],
    [`?source=${hex}&ref=news`, 'news'],
    ['?ref=eyJhbGciOiJI.eyJzdWIi.SflKxwRJSMeKK', ''],
    [`?utm_source=${uuid}`, uuid],
    ['?ref=@ann', '@ann'],
    ['?ref=example.com', 'example.com'],
    ['?source=Newsletter-March-2026-Second-Edition', 'Newsletter-March-2026-Second-Edition'],
  ];
  for (const [query, source] of found) assert.equal(tagsAt(query).source, source, query);
  assert.deepEqual(tagsAt(`?utm_medium=${ann}&utm_campaign=${ann}&utm_term=${ann}&utm_content=${ann}`), NONE);
});

test('tags are trimmed and keep their case', () => {
  assert.deepEqual(tagsAt('?utm_source=%20News%0A&utm_medium=%E2%80%83E-Mail&utm_campaign=A+%26+B%20'), {
    ...NONE,
    source: 'News',
    medium: 'E-Mail',
    campaign: 'A & B',
  });
});

test('a tag has at most 200 characters, none of them half', () => {
  const cuts: [tag: string, kept: string][] = [
    ['a'.repeat(200), 'a'.repeat(200)],
    ['a'.repeat(201), 'a'.repeat(200)],
    ['😀'.repeat(201), '😀'.repeat(200)],
    [`${'a'.repeat(199)}😀😀`, `${'a'.repeat(199)}😀`],
    [`${'a'.repeat(199)} b`, 'a'.repeat(199)],
    ['\ud83d', '\ufffd'],
  ];
  for (const [tag, kept] of cuts) assert.equal(tagsAt(`?utm_campaign=${tag}`).campaign, kept);
  fc.assert(
    fc.property(anyText({ maxLength: 300 }), (tag) => {
      const { source } = tagsAt(`?utm_source=${encodeURIComponent(tag)}`);
      assert.equal(source, [...tag.trim()].slice(0, 200).join('').trim());
      assert.ok(source.isWellFormed());
    }),
    RUNS,
  );
});
