import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begins, isOver, isWhole, lastHour } from '../../src/mail/traffic.ts';
import { compared, isAbove } from '../../src/stats/unusual.ts';
import { IN_UTC } from '../collect/stage.ts';

const eight = (value: number): number[] => new Array<number>(8).fill(value);
const at = (now: number, before: number[]) => compared(now, before);

test('an episode begins with an hour that is above where it or the day is far above, and ends with one that is not', () => {
  const [low, above, far] = [at(30, eight(25)), at(36, eight(25)), at(60, eight(25))];
  const dayFar = at(500, eight(100));
  const dayLow = at(100, eight(100));
  assert.deepEqual([isAbove(low), isAbove(above), isAbove(far)], [false, true, true]);
  const traffic = (ofHour: typeof low, ofDay: typeof low) => ({ hour: 0, ofHour, ofDay });
  assert.ok(begins(traffic(far, dayLow)) && begins(traffic(above, dayFar)));
  assert.ok(!begins(traffic(above, dayLow)) && !begins(traffic(low, dayFar)));
  assert.ok(isOver(traffic(low, dayFar)) && !isOver(traffic(above, dayLow)));
});

test('hours are those that the clocks of the site show, and of two in a row that are the same each is one', () => {
  const at = (moment: string): number => Date.parse(moment) / 1000;
  const calcutta = { timeZone: 'Asia/Calcutta' };
  assert.equal(lastHour(at('2026-03-10T12:29:59Z'), calcutta), at('2026-03-10T10:30:00Z'));
  assert.equal(lastHour(at('2026-03-10T12:30:00Z'), calcutta), at('2026-03-10T11:30:00Z'));
  const berlin = { timeZone: 'Europe/Berlin' };
  assert.equal(lastHour(at('2026-10-25T02:00:00Z'), berlin), at('2026-10-25T01:00:00Z'));
  // Neither of them is like an hour of the weeks before.
  const like = ['00:00', '01:00', '02:00', '03:00'].map((hour) =>
    isWhole('Europe/Berlin', at(`2026-10-25T${hour}:00Z`)),
  );
  assert.deepEqual(like, [false, false, true, true]);
  const spring = ['00:00', '01:00'].map((hour) => isWhole('Europe/Berlin', at(`2026-03-29T${hour}:00Z`)));
  assert.deepEqual(spring, [true, true]);
});

test('the last complete hour is the one before that which runs', () => {
  assert.equal(lastHour(7_200, IN_UTC), 3_600);
  assert.equal(lastHour(10_799, IN_UTC), 3_600);
});
