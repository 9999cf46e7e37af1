import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { searchOf, viewOf } from '../../../src/dashboard/core/address.ts';
import { dayAfter, daysIn } from '../../../src/dashboard/dates/days.ts';
import {
  customRange,
  isAllowed,
  longestUpTo,
  mayChoose,
  monthsAsDays,
  PRESETS,
  previousOf,
  rangeOf,
  spanBetween,
  spanOf,
  steppedRange,
} from '../../../src/dashboard/dates/range.ts';

const TODAY = '2026-03-10';
const NAMES = ['today', '7d', '30d', '12m'];

const day = fc.integer({ min: 0, max: 30_000 }).map((days) => dayAfter('1990-01-01', days));
/** A day to be today, and some days that are over by then. */
const past = fc
  .record({ from: day, length: fc.integer({ min: 1, max: 730 }), since: fc.integer({ min: 0, max: 900 }) })
  .map(({ from, length, since }) => {
    const to = dayAfter(from, length - 1);
    return { span: { from, to }, today: dayAfter(to, since) };
  });

test('named ranges mean the days that the server counts', () => {
  assert.deepEqual(spanOf('today', TODAY), { from: TODAY, to: TODAY });
  assert.deepEqual(spanOf('7d', TODAY), { from: '2026-03-04', to: TODAY });
  assert.deepEqual(spanOf('30d', TODAY), { from: '2026-02-09', to: TODAY });
  assert.deepEqual(spanOf('12m', TODAY), { from: '2025-04-01', to: TODAY });
});

test('a day may be chosen if the range with the first chosen day is short enough, on either side of it', () => {
  const choices = (start: string | undefined, ...dates: string[]) => dates.map((date) => mayChoose(date, start, TODAY));
  assert.deepEqual(choices(undefined, '2020-01-01', TODAY, dayAfter(TODAY, 1)), [true, true, false]);
  assert.deepEqual(choices('2024-03-10', '2026-03-09', TODAY), [true, false]);
  assert.deepEqual(choices(TODAY, '2024-03-11', '2024-03-10', '2020-01-01'), [true, false, false]);
});

test('a range of its own is shorter than two years and in order', () => {
  assert.deepEqual(spanOf('2024-03-10~2026-03-09', TODAY), { from: '2024-03-10', to: '2026-03-09' });
  assert.equal(spanOf('2024-03-10~2026-03-10', TODAY), undefined);
  // Two years after 29 February is 1 March, as the server has it.
  assert.ok(spanOf('2024-02-29~2026-02-28', TODAY));
  assert.equal(spanOf('2024-02-29~2026-03-01', TODAY), undefined);
  for (const range of ['', '8d', 'toString', '2026-03-02~2026-03-01', '2026-02-30~2026-03-01', '2026-03-01', 'a~b~c'])
    assert.equal(spanOf(range, TODAY), undefined, range);
});

test('what has a name is written by its name', () => {
  for (const name of NAMES) {
    const span = spanOf(name, TODAY);
    assert.ok(span);
    assert.equal(rangeOf(span, TODAY), name);
    assert.equal(rangeOf(span, dayAfter(TODAY)), customRange(span));
  }
});

test('any range means the days that it was written from', () => {
  fc.assert(
    fc.property(past, ({ span, today }) => {
      assert.deepEqual(spanOf(rangeOf(span, today), today), span);
    }),
  );
});

test('the period before is as long and ends the day before', () => {
  fc.assert(
    fc.property(past, ({ span }) => {
      const before = previousOf(span);
      assert.equal(daysIn(before.from, before.to), daysIn(span.from, span.to));
      assert.equal(dayAfter(before.to), span.from);
    }),
  );
});

test('a step leads to days that can be asked for, beside those before', () => {
  fc.assert(
    fc.property(past, fc.constantFrom(-1 as const, 1 as const), ({ span, today }, way) => {
      const range = rangeOf(span, today);
      const next = steppedRange(range, today, way);
      if (way === 1 && span.to === today) return assert.equal(next, undefined);
      const found = next === undefined ? undefined : spanOf(next, today);
      assert.ok(found && isAllowed(found, today), `${range} on ${today} leads to ${next}`);
      if (way === -1) assert.equal(dayAfter(found.to), span.from);
      else assert.ok(found.to > span.to && found.to <= today);
    }),
  );
});

test('a step back and one on lead to where one was', () => {
  fc.assert(
    fc.property(past, ({ span, today }) => {
      const range = rangeOf(span, today);
      const back = steppedRange(range, today, -1);
      // Two years with 29 February in them are longer than those before; months that are not over yet grow.
      const isEven = back !== undefined && daysIn(span.from, span.to) <= 365 && !span.from.endsWith('-01');
      if (isEven && !(spanOf(back, today)?.from ?? '').endsWith('-01'))
        assert.equal(steppedRange(back, today, 1), range);
    }),
  );
});

test('months step by months', () => {
  assert.equal(steppedRange('2026-02-01~2026-02-28', TODAY, -1), '2026-01-01~2026-01-31');
  assert.equal(steppedRange('2026-01-01~2026-02-28', TODAY, -1), '2025-11-01~2025-12-31');
  assert.equal(steppedRange('2026-01-01~2026-01-31', TODAY, 1), '2026-02-01~2026-02-28');
  // March is not over, and steps as March.
  assert.equal(steppedRange('2026-02-01~2026-02-28', TODAY, 1), '2026-03-01~2026-03-10');
  assert.equal(steppedRange('2026-03-01~2026-03-10', TODAY, -1), '2026-02-01~2026-02-28');
  assert.equal(steppedRange('12m', TODAY, -1), '2024-04-01~2025-03-31');
  assert.equal(steppedRange('2024-04-01~2025-03-31', TODAY, 1), '12m');
});

test('seven days that begin with a month are still days', () => {
  assert.equal(steppedRange('7d', '2026-03-07', -1), '2026-02-22~2026-02-28');
  assert.equal(steppedRange('today', '2026-03-01', -1), '2026-02-28~2026-02-28');
});

test('a step on never leads beyond today', () => {
  assert.equal(steppedRange('2026-03-01~2026-03-07', TODAY, 1), '7d');
  assert.equal(steppedRange('2026-03-09~2026-03-09', TODAY, 1), 'today');
  for (const name of NAMES) assert.equal(steppedRange(name, TODAY, 1), undefined);
});

test('two taps make a range in any order, without days to come', () => {
  assert.deepEqual(spanBetween('2026-03-05', '2026-03-01', TODAY), { from: '2026-03-01', to: '2026-03-05' });
  assert.deepEqual(spanBetween('2026-03-01', '2026-03-31', TODAY), { from: '2026-03-01', to: TODAY });
  assert.equal(isAllowed({ from: '2026-03-01', to: '2026-03-11' }, TODAY), false);
});

test('every shortcut can be asked for', () => {
  fc.assert(
    fc.property(day, (today) => {
      for (const { name, range } of PRESETS) {
        const span = spanOf(range, today);
        assert.ok(span && isAllowed(span, today), `${name} on ${today}`);
      }
      assert.ok(isAllowed(longestUpTo(today), today));
    }),
  );
});

test('a shortcut is written by its name, which means other days in another year', () => {
  for (const { name, range } of PRESETS) {
    assert.match(range, /^[a-z-]+$/, name);
    const view = viewOf(`?range=${range}`);
    assert.equal(view.range, range);
    assert.equal(searchOf(view), `?range=${range}`, name);
    assert.notDeepEqual(spanOf(range, TODAY), spanOf(range, '2027-05-20'), name);
  }
  assert.deepEqual(spanOf('month', '2027-05-20'), { from: '2027-05-01', to: '2027-05-20' });
  assert.deepEqual(spanOf('year', '2027-05-20'), { from: '2027-01-01', to: '2027-05-20' });
});

test('all sites are asked for the days of a month, and for other ranges by name', () => {
  assert.equal(monthsAsDays('last-month', TODAY), '2026-02-01~2026-02-28');
  assert.equal(monthsAsDays('12m', TODAY), `2025-04-01~${TODAY}`);
  for (const range of ['today', '7d', '30d', 'all', 'yesterday', '2026-03-01~2026-03-02', 'toString'])
    assert.equal(monthsAsDays(range, TODAY), range);
});
