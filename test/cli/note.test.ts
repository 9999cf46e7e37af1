import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';
import { hereOn } from './here.ts';

const URL = 'https://git.example.com/site/commit/1f2e3d4?a=1';

test('note: the command adds a note of today, of a day or of a moment, while the server runs', async (t) => {
  const app = await startApp(t);
  await app.owner.ask('PATCH', '/sites/example.com', { time_zone: 'Asia/Tokyo' });
  const note = (...words: string[]) => hereOn(app, 'note', 'example.com', ...words);
  assert.deepEqual((await note('Deploy "1f2e3d4" & more', '--url', URL)).printed, [
    'note 1: 2026-03-10, Deploy "1f2e3d4" & more',
  ]);
  await note('A newsletter', '--day', '2026-03-05');
  await note('Night in Tokyo', '--at', '2026-03-08T16:30:00+01:00', '--effect');
  const { body } = await app.viewer.ask('GET', '/sites/example.com/notes');
  assert.deepEqual(
    body.data.map(({ created_at: _, ...note }: Record<string, unknown>) => note),
    [
      { id: 2, date: '2026-03-05', text: 'A newsletter', url: null, effect: false },
      { id: 3, date: '2026-03-09', text: 'Night in Tokyo', url: null, effect: true },
      { id: 1, date: '2026-03-10', text: 'Deploy "1f2e3d4" & more', url: URL, effect: false },
    ],
  );
});

test('note: notes are listed, and removed by their id', async (t) => {
  const app = await startApp(t);
  const none = await hereOn(app, 'notes', 'example.com');
  assert.deepEqual(none, { printed: [], explained: ['example.com has no notes'] });
  await hereOn(app, 'note', 'example.com', 'New homepage', '--url', URL);
  await hereOn(app, 'note', 'example.com', 'A talk', '--day', '2026-03-01');
  const { printed } = await hereOn(app, 'notes', 'example.com');
  assert.deepEqual(printed, [
    `2   2026-03-01  -${' '.repeat(URL.length - 1)}  A talk`,
    `1   2026-03-10  ${URL}  New homepage`,
  ]);
  const [first] = JSON.parse((await hereOn(app, 'notes', 'example.com', '--json')).printed.join('\n'));
  assert.deepEqual(first, { id: 2, date: '2026-03-01', url: '-', text: 'A talk' });
  const removed = await hereOn(app, 'note', 'remove', 'example.com', '1');
  assert.deepEqual(removed.printed, ['note 1 removed: 2026-03-10, New homepage']);
  await assert.rejects(hereOn(app, 'note', 'remove', 'example.com', '1'), /has no note 1\. To list all/);
  await assert.rejects(hereOn(app, 'note', 'remove', 'stranger.example', '2'), /has no note 2/);
});

test('note: an error names the flag, and nothing is added', async (t) => {
  const app = await startApp(t);
  const refused: [words: string[], says: RegExp][] = [
    [[''], /^TEXT: /],
    [['x'.repeat(201)], /^TEXT: .*200/],
    [['x', '--day', '2026-03-11'], /^--day: Must be today \(UTC\) or a day in the past/],
    [['x', '--day', 'today'], /^--day: /],
    [['x', '--at', '2026-03-11T00:00:00Z'], /^--at: Must be today/],
    [['x', '--at', 'noon'], /^--at: /],
    [['x', '--at', '2026-03-09T00:00:00Z', '--day', '2026-03-09'], /^--at: Cannot be combined with date/],
    [['x', '--url', 'javascript:alert(1)'], /^--url: Must be a full URL/],
    [['x', '--url', `https://example.com/${'a'.repeat(500)}`], /^--url: .*500/],
  ];
  for (const [words, says] of refused) {
    await assert.rejects(hereOn(app, 'note', 'example.com', ...words), { message: says, exitCode: 2 }, words.join(' '));
  }
  await assert.rejects(hereOn(app, 'note', 'nowhere.example', 'x'), /there is no site nowhere\.example/);
  assert.deepEqual((await app.owner.ask('GET', '/sites/example.com/notes')).body.data, []);
});
