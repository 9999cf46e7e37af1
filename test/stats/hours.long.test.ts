import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openLedger } from '../../src/ledger/engine.ts';
import { makeTasks } from '../../src/ledger/work/tasks.ts';
import type { DayHours } from '../../src/stats/aggregates.ts';
import { makeAsk } from '../../src/stats/ask.ts';
import type { Filters } from '../../src/stats/query.ts';
import { watchClock } from '../../src/store/server/clock-trust.ts';
import { makeSameThread } from '../../src/threads/pool.ts';
import { append, engineOver, fileOf, type Hit, pageview, TODAY } from '../collect/stage.ts';
import { sealOnce } from '../ledger/stage.ts';
import { NOON } from '../support/helpers.ts';
import { site } from './random.ts';
import { ZONES } from './random-zones.ts';
import { countedIn, selected } from './visits.ts';
import { shown } from './zones.ts';

const RANGE = { from: TODAY - 40, to: TODAY + 1 };

const crawlers = { crawls: [], goals: [], funnels: [], crawlers: [] };

/** The same, counted hit by hit. */
function naive(hits: readonly Hit[], zone: string, filters: Filters): DayHours[] {
  const counted = countedIn(
    selected({ hits, ...crawlers }, filters as Record<string, string>, [RANGE.from, TODAY]),
    filters as Record<string, string>,
  );
  const days = Map.groupBy(counted, ({ hit }) => hit.day);
  return [...days]
    .sort(([one], [other]) => one - other)
    .map(([day, of]) => {
      const hourOf = ({ day, second }: Hit) => Math.floor(shown(zone, day * 86_400 + second) / 3_600);
      const firsts = [...Map.groupBy(of, ({ visitor }) => visitor).values()].map((own) =>
        Math.min(...own.map(({ hit }) => hourOf(hit))),
      );
      const hours = [...new Set(of.map(({ hit }) => hourOf(hit)))].sort((one, other) => one - other);
      return {
        day,
        hours: hours.map((hour) => ({
          hour,
          visitors: new Set(of.filter(({ hit }) => hourOf(hit) === hour).map(({ visitor }) => visitor)).size,
          arrivals: firsts.filter((first) => first === hour).length,
          pageviews: of.filter(({ hit }) => hourOf(hit) === hour && hit.event === '').length,
        })),
        last: Math.max(...of.map(({ hit }) => hit.second)),
      };
    });
}

const FILTERS: Filters[] = [
  {},
  { page: { is: ['/a'] } },
  { source: { is: ['x.org'] } },
  { device: { is: ['Mobile'] }, page: { like: ['/*a', '/'] } },
  { event: { not: ['buy'] } },
];

test('visitors and arrivals by hour are those of the reference, of open days and of sealed ones', async (t) => {
  const { open } = fileOf(t, { sites: 40 });
  const { db } = open();
  let siteId = 0;
  await fc.assert(
    fc.asyncProperty(site, fc.constantFrom(...ZONES), async ({ hits }, zone) => {
      siteId++;
      const own = hits.map((hit) => ({ ...hit, siteId }));
      await append(db, own);
      const ask = makeAsk(engineOver(db).queries);
      const agree = async (when: string) => {
        for (const filters of FILTERS) {
          const { days } = await ask({ report: 'hours', timeZone: zone, siteId, range: RANGE, filters });
          assert.deepEqual({ when, zone, filters, days }, { when, zone, filters, days: naive(own, zone, filters) });
        }
      };
      await agree('open');
      for (const day of new Set(own.map(({ day }) => day))) sealOnce(db, { siteId, day });
      await agree('sealed');
    }),
    { numRuns: 30 },
  );
});

test('a range that is measured in parts has its days in order', async (t) => {
  const { open } = fileOf(t);
  const { db } = open();
  const days = [TODAY - 39, TODAY - 20, TODAY - 1, TODAY];
  await append(
    db,
    days.map((day) => pageview({ day })),
  );
  const readers = { ...makeSameThread(makeTasks(db, { freeMemory: () => {} }).tasks), size: 3 };
  const clock = { now: () => NOON, tick: () => 0 };
  const ask = makeAsk(
    openLedger({ db, clock, trust: watchClock(db, clock), log: () => {}, readers, sealers: () => readers }).queries,
  );
  const found = await ask({ report: 'hours', timeZone: 'UTC', siteId: 1, range: RANGE, filters: {} });
  assert.deepEqual(
    found.days.map(({ day }) => day),
    days,
  );
});
