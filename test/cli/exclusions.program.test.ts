import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { line, started } from './importing.ts';

test('a running server answers without what is set aside at once, and with it again', async (t) => {
  const { daybook, mustBring, serve } = await started(t);
  const bot = { visitor: 'bot', url: 'https://example.com/wp-login' };
  await mustBring([0, 1, 2].flatMap((back) => [line(TODAY - back), line(TODAY - back, bot)]).join(''));
  const { days } = await serve();
  assert.deepEqual(await days(), { 0: 2, 1: 2, 2: 2 });
  await daybook.print(['exclude', 'example.com', '--from', date(TODAY - 2), '--filter', 'page.like=/wp-*']);
  assert.deepEqual(await days(), { 0: 1, 1: 1, 2: 1 });
  await daybook.print(['include', 'example.com', '1']);
  assert.deepEqual(await days(), { 0: 2, 1: 2, 2: 2 });
});
