import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Shard } from '../../../src/ledger/day/shard.ts';
import { readTablesByDay } from '../../../src/ledger/query/export-tables.ts';
import { readVisitsByDay } from '../../../src/ledger/query/export-visits.ts';
import { removeExpired } from '../../../src/ledger/upkeep/retention.ts';
import { finish } from '../../../src/lib/steps.ts';
import { keepDays } from '../../../src/store/sites/sites.ts';
import { pageview, TODAY } from '../../collect/stage.ts';
import { bookOf, NOW, sealOnce } from '../stage.ts';

const DAY = TODAY - 3;
const PRO = '{"plan":"pro"}';

test('an export is refused whose day loses its hits while it is read, and never lacks properties', async (t) => {
  const { db, take } = bookOf(t);
  await take(pageview({ day: DAY, properties: PRO }));
  assert.ok(sealOnce(db, { siteId: 1, day: DAY }));
  const visits = readVisitsByDay(db, 1);
  const tables = readTablesByDay(db, 1);
  const [day, table] = [(await visits.next()).value, (await tables.next()).value];
  db.write(() => keepDays(db, 1, 1));
  finish(removeExpired(db, NOW));
  assert.throws(() => [...(day?.visits ?? [])], /changed while it was read/);
  assert.throws(() => table?.propertyNames, /changed while it was read/);
});

test('an export of an open day does not keep visitor codes while its reader is slow', async (t) => {
  const { db, take } = bookOf(t);
  await take(...[1, 2, 3].map((visitor) => pageview({ day: TODAY, visitor, properties: PRO })));
  const codes: { kept: WeakRef<Float64Array>; count: number }[] = [];
  const visits = readVisitsByDay(db, 1, undefined, function* (days, siteId, day) {
    for (const one of days.days(siteId, day, day + 1)) {
      const own = (one as unknown as Shard).codes();
      codes.push({ kept: new WeakRef(own), count: own.length });
      yield one;
    }
  });
  const { value } = await visits.next();
  assert.deepEqual(
    codes.map(({ count }) => count),
    [3],
  );
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await turn();
  collect();
  assert.equal(codes[0]?.kept.deref(), undefined);
  assert.deepEqual(
    [...(value?.visits ?? [])].map(({ visitor, hits }) => [visitor, hits[0]?.properties]),
    [
      [1, PRO],
      [2, PRO],
      [3, PRO],
    ],
  );
});
