import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../src/lib/seeded.ts';
import { pickTableRows, type TableRow } from '../../src/stats/table.ts';

const BY = ['entry', 'source'] as const;

test('table rows: a page is the part of all sorted rows', () => {
  const random = seeded(3);
  const pick = (most: number) => Math.floor(random() * most);
  for (let round = 0; round < 300; round++) {
    const rows = Array.from({ length: pick(60) }, (_, i): TableRow => {
      const visitors = 1 + pick(3);
      return { keys: [`/${pick(4)}`, `${i}`], sums: { visitors, hits: visitors } };
    });
    const [offset, limit] = [pick(40), 1 + pick(20)];
    const compare = (one: TableRow, other: TableRow) => (one.keys.join(' ') < other.keys.join(' ') ? -1 : 1);
    const byVisitors = rows.toSorted((a, b) => b.sums.visitors - a.sums.visitors || compare(a, b));
    const byEntry = rows.toSorted(compare);
    assert.deepEqual(pickTableRows(rows, { by: BY, offset, limit }), byVisitors.slice(offset, offset + limit));
    assert.deepEqual(
      pickTableRows(rows, { by: BY, sort: 'entry', order: 'asc', offset, limit }),
      byEntry.slice(offset, offset + limit),
    );
  }
});

test('table rows: of many rows with one visitor, few texts are compared', () => {
  let reads = 0;
  const rows = Array.from({ length: 20_000 }, (_, i): TableRow => {
    const keys = ['/', `${(i * 7919) % 20_000}`.padStart(5, '0')];
    return {
      get keys() {
        reads++;
        return keys;
      },
      sums: { visitors: 1, hits: 1 },
    };
  });
  const picked = pickTableRows(rows, { by: BY, offset: 0, limit: 10 }).map(({ keys: [, source] }) => source);
  assert.deepEqual(picked.slice(0, 3), ['00000', '00001', '00002']);
  assert.ok(reads < 200_000, `${reads} reads`);
});
