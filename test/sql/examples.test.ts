import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listColumns, TABLE_NAMES } from '../../src/sql/tables.ts';
import { textOf } from '../documents/documents.ts';
import { ANSWERS, EXAMPLES } from './example-answers.ts';

test('docs: the page lists the columns of each table, in the order of SELECT *', () => {
  const page = textOf('docs/sql.md');
  for (const table of TABLE_NAMES) {
    const [, cell = ''] = new RegExp(`^\\| \\x60${table}\\x60 \\|.*\\| (.*) \\|$`, 'm').exec(page) ?? [];
    assert.equal(
      cell,
      listColumns(table)
        .map((name) => `\`${name}\``)
        .join(', '),
      table,
    );
  }
});

test('docs: there are at least twelve examples in SQL, and the API answers the question of each', () => {
  assert.ok(EXAMPLES.size >= 12);
  assert.deepEqual([...EXAMPLES.keys()], Object.keys(ANSWERS));
});
