import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dice } from '../../src/demo/dice.ts';
import { Problem } from '../../src/lib/errors.ts';
import type { Ask } from '../../src/stats/ask.ts';
import { explainDifference } from '../../src/stats/difference.ts';
import { type Cells, explain, type Found, listSingly, measureEvidence } from '../../src/stats/explain.ts';
import type { ExplainDimension } from '../../src/stats/explain-dimensions.ts';
import { measureNoise } from '../../src/stats/explain-noise.ts';
import { chooseValues } from '../../src/stats/explain-values.ts';

type Visitor = Partial<Record<ExplainDimension, string>>;
type Group = { visitor: Visitor; before: number; after: number };

const VALUES: Record<string, readonly string[]> = {
  channel: ['Direct', 'Organic search', 'Email'],
  country: ['DE', 'FR', 'ES', 'US'],
  device: ['Mobile', 'Desktop'],
};
const NAMES = Object.keys(VALUES) as ExplainDimension[];

/** All combinations of the values, each with `usual` visitors in both ranges. */
const makeGroups = (usual = 100): Group[] =>
  (VALUES.channel ?? []).flatMap((channel) =>
    (VALUES.country ?? []).flatMap((country) =>
      (VALUES.device ?? []).map((device) => ({ visitor: { channel, country, device }, before: usual, after: usual })),
    ),
  );

/** Changes the visitors that have all of these properties. */
const change = (groups: readonly Group[], properties: Visitor, times: number): Group[] =>
  groups.map((group) =>
    Object.entries(properties).every(([name, value]) => group.visitor[name as ExplainDimension] === value)
      ? { ...group, after: group.after * times }
      : group,
  );

const makeCells = (groups: readonly Group[]): Cells => ({
  tried: NAMES.map((dimension) => ({ dimension, values: VALUES[dimension] ?? [] })),
  codes: NAMES.map((name) =>
    Uint8Array.from(groups, ({ visitor }) => (VALUES[name] ?? []).indexOf(visitor[name] ?? '') + 1),
  ),
  before: Float64Array.from(groups, ({ before }) => before),
  after: Float64Array.from(groups, ({ after }) => after),
});

const search = (groups: readonly Group[], noise = 1): Promise<Found[]> => explain(makeCells(groups), () => noise);
const name = ({ properties }: Found): Visitor =>
  Object.fromEntries(properties.map(({ dimension, value }) => [dimension, value]));

test('explain: a change of one, two or three properties is found as exactly these', async () => {
  const all: Visitor[] = [
    { country: 'DE' },
    { channel: 'Email', country: 'FR' },
    { channel: 'Direct', country: 'US', device: 'Mobile' },
  ];
  for (const properties of all) {
    for (const times of [0.2, 2, 5]) {
      const found = await search(change(makeGroups(), properties, times));
      assert.deepEqual(found.map(name), [properties]);
      assert.ok(found[0]?.isCertain);
    }
  }
});

test('explain: two changes are two answers, the larger one first', async () => {
  const groups = change(change(makeGroups(), { country: 'DE' }, 3), { channel: 'Email', country: 'US' }, 4);
  const found = await search(groups);
  assert.deepEqual(found.map(name), [{ country: 'DE' }, { channel: 'Email', country: 'US' }]);
  assert.deepEqual(
    found.map(({ before, after }) => [before, after]),
    [
      [600, 1_800],
      [200, 800],
    ],
  );
});

test('explain: nothing is found if all change alike, or not at all', async () => {
  for (const times of [1, 1.3, 0.5, 4]) assert.deepEqual(await search(change(makeGroups(), {}, times)), []);
  assert.deepEqual(await search([]), []);
  assert.deepEqual(await search(makeGroups(0)), []);
});

test('explain: values that come anew or go away are found', async () => {
  const groups = makeGroups().map((group) => ({ ...group, before: group.visitor.channel === 'Email' ? 0 : 100 }));
  assert.deepEqual((await search(groups)).map(name), [{ channel: 'Email' }]);
  const gone = groups.map(({ visitor, before, after }) => ({ visitor, before: after, after: before }));
  assert.deepEqual((await search(gone)).map(name), [{ channel: 'Email' }]);
});

/** Each visitor has a set of host names and plans. The values of a dimension of hits are listed one by one. */
function makeHitCells(groups: readonly { has: readonly string[]; before: number; after: number }[]): Cells {
  const tried = listSingly([
    { dimension: 'country', values: ['DE', 'FR'] },
    { dimension: 'hostname', values: ['a.example', 'b.example'] },
    { dimension: 'property:plan', values: ['pro'] },
  ]);
  return {
    tried,
    codes: tried.map(({ values }) =>
      Uint8Array.from(groups, ({ has }) => values.findIndex((value) => has.includes(value)) + 1),
    ),
    before: Float64Array.from(groups, ({ before }) => before),
    after: Float64Array.from(groups, ({ after }) => after),
  };
}

test('explain: values of hits are combined with other dimensions, and never with each other of one dimension', async () => {
  const still = ['DE', 'FR'].flatMap((country) =>
    [['a.example'], ['b.example'], ['a.example', 'b.example'], ['pro'], ['b.example', 'pro'], []].map((has) => ({
      ...{ has: [country, ...has], before: 100, after: 100 },
    })),
  );
  const grow = (...wanted: string[]) =>
    makeHitCells(still.map((one) => (wanted.every((value) => one.has.includes(value)) ? { ...one, after: 300 } : one)));
  assert.deepEqual((await explain(grow('DE', 'pro'), () => 1)).map(name), [{ country: 'DE', 'property:plan': 'pro' }]);
  const both = grow('b.example', 'pro');
  assert.deepEqual((await explain(both, () => 1)).map(name), [{ hostname: 'b.example', 'property:plan': 'pro' }]);
  for (const found of await explain(both, () => 1, false)) assert.ok(Object.keys(name(found)).length === 1);
  // The visitors of both host names grow. A filter cannot ask for two host names of one hit.
  for (const found of await explain(grow('a.example', 'b.example'), () => 1)) {
    assert.equal(new Set(found.properties.map(({ dimension }) => dimension)).size, found.properties.length);
  }
});

test('explain: a change within chance is not certain, and with noise less is certain', async () => {
  const groups = change(makeGroups(), { country: 'DE' }, 1.28);
  assert.equal((await search(groups))[0]?.isCertain, false);
  const larger = change(makeGroups(), { country: 'DE', device: 'Mobile' }, 1.6);
  assert.equal((await search(larger))[0]?.isCertain, true);
  assert.notEqual((await search(larger, 4))[0]?.isCertain, true);
});

test('explain: the evidence is that of the smaller contrast, to before and to all others', () => {
  const others = { before: 900, after: 900 };
  const all = (own: { before: number; after: number }) => ({
    before: own.before + others.before,
    after: own.after + others.after,
  });
  const grown = { before: 100, after: 200 };
  assert.ok(measureEvidence(grown, all(grown)) > 11);
  const still = { before: 100, after: 100 };
  assert.ok(measureEvidence(still, { before: 1_000, after: 2_000 }) < 1e-9);
  assert.ok(measureEvidence(grown, { before: 1_000, after: 2_000 }) < 1e-9);
});

test('explain: the values to try are those that changed most unlike the others, and the largest', () => {
  const values = Array.from({ length: 30 }, (_, i) => ({ value: `C${i}`, before: 1_000 - i, after: 1_000 - i }));
  values[20] = { value: 'C20', before: 980, after: 1_500 };
  const all = { before: 30_000, after: 30_520 };
  const [country, ...more] = chooseValues({ counts: [{ dimension: 'country', values }], all });
  assert.deepEqual(more, []);
  assert.ok(country?.values.includes('C20') && country.values.includes('C0') && country.values.length <= 6);
  const other = [{ value: '(other)', before: 5, after: 500 }];
  assert.deepEqual(chooseValues({ counts: [{ dimension: 'source', values: other }], all }), []);
});

test('explain: noise is 1 for pure chance, more for days that vary, and does not see a change between the ranges', () => {
  const thrown = dice(3);
  const draw = (mean: number): number => {
    let count = 0;
    for (let left = Math.exp(-mean), product = thrown.roll(); product > left; product *= thrown.roll()) count++;
    return count;
  };
  const measure = (vary: () => number, times: number): number => {
    const values = Array.from({ length: 20 }, () =>
      Array.from({ length: 28 }, () => ({ before: draw(40 * vary()), after: draw(40 * times * vary()) })),
    );
    const totals = Array.from({ length: 28 }, (_, i) =>
      values.reduce(
        (sum, pairs) => ({ before: sum.before + (pairs[i]?.before ?? 0), after: sum.after + (pairs[i]?.after ?? 0) }),
        { before: 0, after: 0 },
      ),
    );
    return measureNoise(values, totals);
  };
  assert.ok(measure(() => 1, 1) < 1.3);
  assert.ok(measure(() => 1, 2) < 1.3);
  assert.ok(measure(() => (thrown.chance(0.5) ? 0.5 : 1.5), 1) > 4);
});

test('explain: when the server is too busy for the first query, no other query goes on', async () => {
  const asked: string[] = [];
  const ask = (async ({ report }: { report: string }) => {
    asked.push(report);
    if (report === 'table') throw new Problem('unavailable');
    return { rows: [] };
  }) as unknown as Ask;
  const ranges = { range: { from: 7, to: 14 }, compared: { from: 0, to: 7 } };
  await assert.rejects(explainDifference(ask, { siteId: 1, timeZone: 'UTC', filters: {}, ...ranges }));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(asked, ['table', 'table']);
});
