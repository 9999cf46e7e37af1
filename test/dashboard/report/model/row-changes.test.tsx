import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, periodsIn } from '../../../../src/dashboard/report/model/row-changes.ts';
import { VIEW } from '../../components.tsx';

const TODAY = '2026-03-10';

test('rows of a range that ends today are compared without its last day, which is not over', () => {
  assert.deepEqual(periodsIn({ ...VIEW, range: '7d' }, TODAY), {
    now: { from: '2026-03-04', to: '2026-03-09' },
    before: { from: '2026-02-25', to: '2026-03-02' },
  });
  assert.equal(periodsIn({ ...VIEW, range: 'today' }, TODAY), undefined);
  assert.deepEqual(periodsIn({ ...VIEW, range: 'yesterday' }, TODAY), {
    now: undefined,
    before: { from: '2026-03-08', to: '2026-03-08' },
  });
});

test('rows are not compared where the report is not', () => {
  assert.equal(periodsIn({ ...VIEW, compare: 'off' }, TODAY), undefined);
  assert.equal(periodsIn({ ...VIEW, range: 'all' }, TODAY), undefined);
});

test('a row says how its visitors changed, that it is new, or nothing where that is not known', () => {
  assert.equal(changeOf(437, 390, 'then')?.text, '12.1%');
  assert.equal(changeOf(437, 390, 'then')?.sentence, 'Up 12.1% from 390 (then).');
  assert.equal(changeOf(0, 5, 'then')?.text, '100.0%');
  assert.deepEqual([changeOf(3, 0, 'then')?.text, changeOf(3, 0, 'then')?.kind], ['new', '']);
  assert.equal(changeOf(0, 0, 'then'), undefined);
  assert.equal(changeOf(3, undefined, 'then'), undefined);
  assert.equal(changeOf(undefined, 3, 'then'), undefined);
});
