import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyRows } from '../../../src/engine/import-content.ts';
import { appendLists, type HitList } from '../../../src/ledger/rows/hit-lists.ts';
import { addRows, listHits } from '../../../src/ledger/rows/hits.ts';
import { TEXT_FIELDS } from '../../../src/stats/dimensions.ts';
import { TODAY } from '../../collect/stage.ts';
import { chance } from '../../support/random.ts';
import { bookOf } from '../stage.ts';

const DAY = { siteId: 1, importId: null, day: TODAY };
/** The fields of a row that are numbers, without the seconds and depth of a heartbeat. */
const LENGTH = 3 + 2 + TEXT_FIELDS.length + 1;

test('hits: each row keeps all of its values, whichever values the rows beside it have', (t) => {
  const { db } = bookOf(t);
  const random = chance(t);
  const lists: HitList[] = Array.from({ length: 300 }, (_, row) => {
    // Some statements have no heartbeat, some have no text, and some have a text here and there.
    const statement = Math.floor(row / 32);
    const [isHeartbeat, share] = [statement % 2 === 0 && random() < 0.3, [0, 0.005, 0.8][statement % 3] ?? 0];
    const term = () => (random() < share ? 1 + Math.floor(random() * 1e6) : 0);
    const [engaged, scroll] = isHeartbeat ? [Math.floor(random() * 3), Math.floor(random() * 101)] : [-1, 0];
    return [row + 1, row, 2 ** 52 + row, engaged, scroll, ...TEXT_FIELDS.map(term), term()];
  });
  assert.ok(lists.every(({ length }) => length === LENGTH));
  const rows = appendLists(emptyRows(0), lists);
  // 300 rows are nine statements of 32 rows, one of 8 rows and four of single rows.
  db.write(() => addRows(db, DAY, rows, 0, rows.count));
  assert.deepEqual([...listHits(db, DAY, 0)].flat(), lists);
});
