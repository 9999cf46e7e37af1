import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CountVisits } from '../../../src/cluster/query/aggregate.ts';
import { countTable } from '../../../src/cluster/query/table.ts';
import { readRows } from '../../../src/cluster/servers/send.ts';
import type { Of } from '../../../src/stats/query.ts';
import { pickTableRows } from '../../../src/stats/table.ts';

const ROWS = 40_000;
/** So many rows may be handled without a pause. */
const PORTION = 5_000;

const QUESTION: Of<'table'> = {
  ...{ report: 'table', siteId: 1, timeZone: 'UTC', range: { from: 0, to: 9 }, filters: {} },
  ...{ by: ['page'], metrics: [], offset: 0, limit: 50 },
};
const SELECTION = { where: '1', counted: '1', bind: (text: string) => text };

/** Some pages have no visitors, and many have equally many. */
const makeRows = () => Array.from({ length: ROWS }, (_, i) => ({ k0: `/${(i * 7_919) % ROWS}`, visitors: i % 9 }));

const answer = async (): Promise<object[]> => makeRows();
const count = answer as unknown as CountVisits;
const ask = (query: Of<'table'>, own = count) => countTable(own, SELECTION, query, { ranges: [query.range] });

/** Counts how often other requests get a turn while something is done. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const next = (): void => {
    turns++;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  await work();
  isOver = true;
  return turns;
}

test('cluster: a long table lets other requests have a turn, and its pages are exact', async () => {
  assert.ok((await countTurns(() => ask(QUESTION))) >= ROWS / PORTION - 1);
  const rows = makeRows()
    .filter(({ visitors }) => visitors > 0)
    .map(({ k0, visitors }) => ({ keys: [k0], sums: { visitors } }));
  for (const page of [
    {},
    { offset: 4_000, limit: 3_000 },
    { offset: ROWS, limit: 10 },
    { sort: 'page', order: 'desc' },
    { order: 'asc', offset: 7 },
    { wanted: [['/1'], ['/2'], ['/none']] },
  ] as Partial<Of<'table'>>[]) {
    const query = { ...QUESTION, ...page };
    const { total, rows: own } = await ask(query);
    assert.equal(total, rows.length);
    assert.deepEqual(own, pickTableRows(rows, query));
  }
});

test('cluster: reading a long answer lets other requests have a turn', async () => {
  const text = makeRows()
    .map((row) => JSON.stringify(row))
    .join('\n');
  assert.ok((await countTurns(() => readRows(text))) >= ROWS / PORTION - 1);
  for (const end of ['', '\n']) assert.deepEqual(await readRows(text + end), makeRows());
  assert.deepEqual(await readRows(''), []);
});
