import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trialsOn } from '../../bench/waves/trials.ts';
import { makeDrafts } from '../../src/stats/suggest.ts';
import { type Attribute, type DayVisits, makeVisits, type VisitTableOptions } from '../../src/stats/visit-table.ts';

/** Visits with some terms; those of other attributes change from visit to visit. */
const visits = (count: number, known: Partial<Record<Attribute, number>> = {}): DayVisits => [
  makeVisits((name) => {
    const terms = known[name] === undefined ? [...Array(50).keys()] : [known[name]];
    return { terms, codes: Uint32Array.from({ length: count }, (_, i) => (i * 7 + name.length * i) % terms.length) };
  }),
];

const weeks = (count: number, day: DayVisits): DayVisits[] => Array.from({ length: count }, () => day);

const found = (day: DayVisits, before: readonly DayVisits[], options?: VisitTableOptions) =>
  makeDrafts(day, before, options).map(({ values }) => values);

test('what only the surplus has is found, in one attribute if one is enough', () => {
  const usual = visits(500);
  const wave = [...usual, ...visits(200, { country: 900, browser: 3 })];
  assert.deepEqual(found(wave, weeks(8, usual)), [{ country: [900] }]);
  assert.deepEqual(found(usual, weeks(8, usual)), []);
});

test('of three attributes each may be common, if all together are not', () => {
  const usual = [
    ...visits(300, { country: 1, browser: 2 }),
    ...visits(300, { country: 1, os: 3 }),
    ...visits(300, { browser: 2, os: 3 }),
  ];
  const wave = [...usual, ...visits(900, { country: 1, browser: 2, os: 3 })];
  assert.deepEqual(found(wave, weeks(8, usual)), [{ country: [1], browser: [2], os: [3] }]);
});

test('values of an attribute that grew alike are one list, which ends before those that grew far less', () => {
  const usual = visits(500);
  const wave = [
    ...usual,
    ...[901, 902, 903].flatMap((entry) => visits(200, { entry, source: 1 })),
    ...visits(40, { entry: 904 }),
  ];
  assert.deepEqual(found(wave, weeks(8, usual)), [{ entry: [901, 902, 903] }]);
});

test('visits of one page are a mark where the others of their kind have more', () => {
  const [onePage, more] = [1, 0];
  const usual = [...visits(250, { country: 1, pageviews: more }), ...visits(250, { pageviews: onePage })];
  const wave = [...usual, ...visits(600, { country: 1, pageviews: onePage })];
  const mayBe: VisitTableOptions['mayBe'] = (attribute, term) => attribute !== 'pageviews' || term === onePage;
  assert.deepEqual(found(wave, weeks(8, usual), { mayBe }), [{ country: [1], pageviews: [onePage] }]);
});

test('a value that no filter may name is not suggested', () => {
  const usual = visits(500);
  const wave = [...usual, ...visits(200, { country: 900, entry: 901 })];
  const mayBe: VisitTableOptions['mayBe'] = (attribute) => attribute !== 'country';
  assert.deepEqual(found(wave, weeks(8, usual), { mayBe }), [{ entry: [901] }]);
  assert.deepEqual(found(wave, weeks(8, usual), { mayBe: () => false }), []);
});

test('a wave is a tenth of a usual day at least, and 25 visits more than usual', () => {
  const usual = visits(1_000);
  const waveOf = (count: number) => [...usual, ...visits(count, { country: 900 })];
  assert.deepEqual(found(waveOf(99), weeks(8, usual)), []);
  assert.deepEqual(found(waveOf(101), weeks(8, usual)), [{ country: [900] }]);
  const few = visits(10);
  assert.deepEqual(found([...few, ...visits(24, { country: 900 })], weeks(8, few)), []);
  assert.deepEqual(found([...few, ...visits(25, { country: 900 })], weeks(8, few)), [{ country: [900] }]);
  // Each visit may stand for several.
  assert.deepEqual(found([...few, ...visits(24, { country: 900 })], weeks(8, few), { times: 2 }), [{ country: [900] }]);
});

test('less than four weeks are not enough, and one with a wave of its own does not count', () => {
  const usual = visits(500);
  const wave = [...usual, ...visits(400, { country: 900 })];
  assert.deepEqual(found(wave, weeks(3, usual)), []);
  assert.deepEqual(found(wave, weeks(4, usual)), [{ country: [900] }]);
  const large = [...usual, ...visits(900, { country: 900 })];
  assert.deepEqual(found(wave, [large, ...weeks(3, usual)]), []);
  assert.deepEqual(found(wave, [large, ...weeks(4, usual)]), [{ country: [900] }]);
});

test('nine in ten simulated waves as large as a usual day are found, with less than one in fifty real visits inside', () => {
  const seed = 7;
  const trials = [...trialsOn(1_000, [1], seed)];
  const missed = trials.filter(({ isFound }) => !isFound).map(({ kind, drafts }) => [kind, drafts]);
  assert.ok(missed.length <= trials.length / 10, JSON.stringify({ seed, missed }));
  const inside = trials.reduce((sum, one) => sum + one.inside, 0) / trials.length;
  assert.ok(inside < 0.02, JSON.stringify({ seed, inside }));
});
