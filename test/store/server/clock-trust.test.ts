import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findTrustedDay, watchClock } from '../../../src/store/server/clock-trust.ts';
import { fileOf, TODAY } from '../../collect/stage.ts';
import { NOON } from '../../support/helpers.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Processes on one file, each with its own ticks and all with the clock on the wall. */
function wall(t: TestContext) {
  const { db } = fileOf(t).open();
  let now = NOON;
  let ticks = 0;
  return {
    db,
    jump(seconds: number): void {
      now += seconds * 1000;
    },
    pass(seconds: number): void {
      now += seconds * 1000;
      ticks += seconds * 1000;
    },
    start() {
      const began = ticks;
      return watchClock(db, { now: () => now, tick: () => ticks - began });
    },
    day: () => findTrustedDay(db),
  };
}

test('the first clock is trusted, and the latest day that was seen is in the file', (t) => {
  const { start, pass, jump, day } = wall(t);
  const { look } = start();
  assert.deepEqual([day(), look(), day()], [undefined, true, TODAY]);
  pass(DAY);
  assert.deepEqual([look(), day()], [true, TODAY + 1]);
  jump(-DAY);
  assert.deepEqual([look(), day()], [true, TODAY + 1], 'what was seen is not taken back');
});

test('up to two days are no leap, in a process and from one to the next', (t) => {
  for (const days of [1, 2, -1, -2]) {
    const { start, jump } = wall(t);
    const { look } = start();
    look();
    jump(days * DAY);
    assert.deepEqual([look(), start().look()], [true, true], `${days}`);
  }
});

test('a clock that leaps by more is not trusted, and is at once when it comes back', (t) => {
  for (const days of [3, 31, 400, 3_650, -3, -400, -TODAY]) {
    const { start, jump, pass, day } = wall(t);
    const { look } = start();
    look();
    jump(days * DAY);
    const other = start();
    for (let minute = 0; minute < 30; minute++) {
      assert.deepEqual([look(), other.look(), day()], [false, false, TODAY], `${days}`);
      pass(60);
    }
    jump(-days * DAY);
    assert.deepEqual([look(), other.look(), start().look(), day()], [true, true, true, TODAY]);
  }
});

test('after a leap it is trusted when it has stood for six hours, which every start and every other leap begins again', (t) => {
  const { start, jump, pass, day } = wall(t);
  const { look } = start();
  look();
  jump(400 * DAY);
  assert.equal(look(), false);
  pass(6 * HOUR - 1);
  assert.equal(look(), false);
  const other = start();
  assert.equal(other.look(), false);
  jump(30 * DAY);
  assert.equal(look(), false);
  pass(1);
  assert.equal(look(), false);
  pass(6 * HOUR - 2);
  assert.deepEqual([look(), other.look()], [false, false]);
  pass(1);
  assert.deepEqual([look(), day()], [true, TODAY + 430]);
  assert.equal(other.look(), true, 'what one process trusts, the others do');
});

test('a process that was not looked at for long has seen no leap, because its ticks went on', (t) => {
  const { start, pass, day } = wall(t);
  const { look } = start();
  look();
  pass(400 * DAY);
  assert.deepEqual([look(), day()], [true, TODAY + 400]);
});

test('a server that was off for a month waits six hours', (t) => {
  const { start, jump, pass, day } = wall(t);
  start().look();
  jump(30 * DAY);
  const { look } = start();
  assert.deepEqual([look(), day()], [false, TODAY]);
  pass(6 * HOUR);
  assert.deepEqual([look(), day()], [true, TODAY + 30]);
});

test('the word of the operator is enough, for all processes and in both directions', (t) => {
  const { start, jump, day } = wall(t);
  const server = start();
  server.look();
  for (const [days, trusted] of [
    [400, TODAY + 400],
    [-390, TODAY + 10],
  ] as const) {
    jump(days * DAY);
    assert.equal(server.look(), false);
    start().accept();
    assert.deepEqual([server.look(), start().look(), day()], [true, true, trusted]);
  }
});

test('a clock that begins in 1970 is not trusted, however long it stands, and is once it is set', (t) => {
  const { start, jump, pass, day } = wall(t);
  jump(-NOON / 1000);
  const { look } = start();
  assert.deepEqual([look(), day()], [false, undefined]);
  pass(7 * HOUR);
  assert.equal(look(), false);
  jump(NOON / 1000);
  assert.deepEqual([look(), day()], [true, TODAY]);
});
