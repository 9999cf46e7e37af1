import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { CHROME, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { type Line, line, moment, now, started, visitors } from './importing.ts';

test('a file is brought in, its past days sealed and today open, and the days it does not name stay free', async (t) => {
  const { mustBring, daybook, serve } = await started(t);
  const { days, stop } = await serve();
  assert.equal(
    await mustBring(visitors({ 0: 2, 1: 3, 9: 4 })),
    `9 hits of 3 days imported (import 1)
9 records read: 9 accepted, 0 skipped
accepted: 9 pageviews, ${date(TODAY - 9)} to ${date(TODAY)}`,
  );
  assert.deepEqual(await days(), { 0: 2, 1: 3, 9: 4 });
  assert.match(await mustBring(visitors({ 5: 1 })), /^1 hit of 1 day imported \(import 2\)\n/);
  assert.deepEqual(await days(), { 0: 2, 1: 3, 5: 1, 9: 4 });
  await stop();
  assert.equal(await daybook.print(['check']), '3 days verified, 0 differ');
  assert.deepEqual(
    readdirSync(daybook.folder).filter((name) => name.includes('import')),
    [],
  );
});

test('days that hold hits are refused by name without --replace, and nothing is brought in', async (t) => {
  const { bring, mustBring, serve } = await started(t);
  const { days, view } = await serve();
  await mustBring(visitors({ 1: 1, 2: 1, 3: 1, 4: 1, 5: 1 }));
  assert.equal((await view()).status, 202);
  const before = { 0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1 };
  for (const [counts, named] of [
    [{ 1: 7, 8: 1 }, date(TODAY - 1)],
    [{ 0: 7, 8: 1 }, date(TODAY)],
    [{ 1: 7, 2: 7, 3: 7 }, [3, 2, 1].map((back) => date(TODAY - back)).join(', ')],
    [{ 0: 7, 1: 7, 2: 7, 4: 7, 8: 1 }, `${[4, 2, 1].map((back) => date(TODAY - back)).join(', ')} and 1 more`],
  ] as const) {
    const { code, stdout, stderr } = await bring(visitors(counts));
    assert.deepEqual([code, stdout], [1, '']);
    const [why, read] = stderr.split('\n');
    assert.equal(
      why,
      `daybook: example.com already has hits on ${named}. Nothing was imported. To replace those days with the days of the file, use --replace.`,
    );
    assert.match(read ?? '', /^\d+ records read: \d+ accepted, 0 skipped$/);
    assert.deepEqual(await days(), before);
  }
});

test('with --replace the days of the file take the place of what was there, live hits of today too', async (t) => {
  const { mustBring, serve, daybook } = await started(t);
  const { days, view, stop } = await serve();
  await mustBring(visitors({ 1: 5, 2: 5 }));
  for (const agent of ['a', 'b', 'c']) assert.equal((await view('/live', `${CHROME} ${agent}`)).status, 202);
  assert.deepEqual(await days(), { 0: 3, 1: 5, 2: 5 });
  await mustBring(visitors({ 0: 2, 1: 1, 3: 4 }), '--replace');
  assert.deepEqual(await days(), { 0: 2, 1: 1, 2: 5, 3: 4 });
  assert.equal((await view()).status, 202);
  assert.deepEqual(await days(), { 0: 3, 1: 1, 2: 5, 3: 4 });
  await mustBring(visitors({ 0: 4 }), '--replace');
  assert.deepEqual(await days(), { 0: 4, 1: 1, 2: 5, 3: 4 });
  await stop();
  assert.equal(await daybook.print(['check']), '3 days verified, 0 differ');
});

test('whoever comes today and is in the file too is one visitor, by address and agent', async (t) => {
  const { mustBring, serve } = await started(t);
  const { days, view, get } = await serve();
  await view('/live');
  const who = (ip: string, agent: string) => {
    const { visitor: _, ...rest } = JSON.parse(line(TODAY)) as Line;
    return `${JSON.stringify({ ...rest, at: moment(0, now), ip, agent })}\n`;
  };
  const text = who('127.0.0.1', CHROME) + who('127.0.0.1', `${CHROME} other`) + who('192.0.2.9', CHROME);
  await mustBring(text, '--replace');
  assert.deepEqual(await days(), { 0: 3 });
  await view('/live');
  const { data } = (await (await get('stats/overview?range=today')).json()) as {
    data: { visitors: number; pageviews: number };
  };
  assert.deepEqual([data.visitors, data.pageviews], [3, 4]);
});
