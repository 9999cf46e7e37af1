import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { Refusal, USAGE } from '../../src/lib/errors.ts';
import type { Source } from '../../src/sql/rows.ts';
import { runStatement } from '../../src/sql/run.ts';
import { BOUNDED, REFUSED } from './statements.ts';

/** Nothing is stored, and each read is counted. */
function nothing(): Source & { reads: number } {
  const source = {
    reads: 0,
    listDays: async () => ({ hits: [20_000], sums: [] }),
    visitTables() {
      source.reads++;
      throw new Error('nothing may be read');
    },
    listCrawlDays: async () => [],
    listDropDays: async () => [],
    listDayStatus: async () => [],
  };
  return source;
}

const SITES = [{ id: 1, domain: 'example.com' }];
const LIMITS = { rows: 100, bytes: 10_000_000 };

test('sql: there are two hundred hostile statements, and no two alike', () => {
  const all = [...REFUSED, ...BOUNDED];
  assert.ok(all.length >= 200, `${all.length}`);
  assert.deepEqual(
    all.filter((one, i) => all.indexOf(one) !== i),
    [],
  );
});

test('sql: a statement that does more than read is refused with a sentence, before anything is read', async () => {
  const before = readdirSync('.');
  for (const statement of REFUSED) {
    const source = nothing();
    const error = await runStatement(source, SITES, statement, LIMITS).catch((thrown: unknown) => thrown);
    const about = statement.slice(0, 100);
    assert.ok(error instanceof Refusal, `${about}: ${error instanceof Error ? error.stack : JSON.stringify(error)}`);
    assert.equal(error.exitCode, USAGE, about);
    assert.ok(error.message.length < 300, `${about}: ${error.message}`);
    assert.doesNotMatch(error.message, /node:|src\/|ERR_/, about);
    assert.equal(source.reads, 0, about);
  }
  assert.deepEqual(readdirSync('.'), before);
});
