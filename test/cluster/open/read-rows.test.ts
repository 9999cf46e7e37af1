import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAll } from '../../../src/cluster/open/read-rows.ts';

const numberIn = (sql: string, before: RegExp): number => Number(before.exec(sql)?.[1]);

test('rows of an open day: after codes without visitors, portions are as large as before', async () => {
  const last = 2 ** 53 - 10_000;
  const rows = Array.from({ length: 4_000 }, (_, i) => ({ seq: i + 1, visitor: last + i, texts: ['/'] }));
  const limits: number[] = [];
  const nodes = {
    async askShards(sql: string) {
      const [from, to] = [numberIn(sql, /visitor >= (\d+)/), numberIn(sql, /visitor < (\d+)/)];
      limits.push(numberIn(sql, /LIMIT (\d+)/));
      return [rows.filter(({ visitor }) => visitor >= from && visitor < to).slice(0, limits.at(-1))];
    },
  };
  const read: unknown[] = [];
  const span = { siteId: 1, day: 1, from: 0, until: 5_000 };
  for await (const portion of readAll(nodes as never, span)) read.push(...portion);
  assert.equal(read.length, rows.length);
  assert.deepEqual([Math.min(...limits), limits.length], [1_250, 18]);
});
