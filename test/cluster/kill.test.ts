import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { folder } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { chance } from '../support/random.ts';
import { assertFigures, assertOnce, differences, exported } from './books.ts';
import { CLIENTS, crowd, domainOf } from './crowd.ts';
import { beginEvening, COLLECTORS, DATABASE, sealed, waitForTime } from './evening.ts';
import type { Machines } from './machines.ts';
import { type Server as Node, rowsOn, startCluster } from './servers.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
/** The hour at which the test begins. The clocks leap to just before midnight once hits have come. */
const HOUR = 23;
const NEARLY_MIDNIGHT = (TODAY + 1) * 86_400_000 - 20_000;
/** So many hits that each site has some. */
const OF_THE_EVENING = 100;

type Random = () => number;

/** Kills some of all that there is and starts it again, while people browse. */
async function round(
  { startCollector, stopCollector, startPrimary, stopPrimary }: Machines,
  nodes: readonly Node[],
  random: Random,
  more: () => Promise<void>,
): Promise<void> {
  const victims = nodes.filter(() => random() < 0.3);
  const collectors = Array.from({ length: COLLECTORS }, (_, i) => i).filter(() => random() < 0.4);
  const isPrimary = random() < 0.3;
  await Promise.all(victims.map(({ kill }) => kill()));
  for (const i of collectors) await stopCollector(i, 'SIGKILL');
  if (isPrimary) await stopPrimary('SIGKILL');
  if (collectors.length < COLLECTORS) await more();
  // A collector starts without a primary, and a primary without some of the servers.
  for (const i of collectors) await startCollector(i);
  if (random() < 0.5) await more();
  await Promise.all(victims.map(({ start }) => start()));
  if (isPrimary) await startPrimary();
}

test('whatever is killed at whatever moment, what was acknowledged is on every replica, once, and makes the figures', async (t) => {
  const random = chance(t);
  const servers = await startCluster(folder(t), 2, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const all = await beginEvening(t, servers, HOUR);
  const { engine, daybook, own } = all;
  const people = crowd(random, own.ports);
  const more = (least: number) => async () => {
    const before = people.acknowledged.size;
    await until('more are acknowledged', () => people.acknowledged.size >= before + least);
  };
  await more(OF_THE_EVENING)();
  all.clocks.leap(NEARLY_MIDNIGHT - all.clocks.now());
  // A round may begin with the end of the primary.
  await waitForTime(all);
  for (let n = 1; n <= ROUNDS; n++) await round(own, servers, random, more(Math.ceil(random() * 400)));
  const today = `SELECT uniqExact(visitor) AS n FROM activity WHERE day = ${TODAY + 1}`;
  await until('everybody has come after midnight', async () => {
    const found = await Promise.all(servers.map((server) => rowsOn<{ n: number }>(server, DATABASE, today))).catch(
      () => [],
    );
    // Each replica has them.
    return found.flat().reduce((sum, { n }) => sum + n, 0) >= 2 * CLIENTS;
  });
  await people.end();
  const { sent, acknowledged } = people;
  await until('all that was acknowledged is there', async () => {
    const pages = new Set((await exported(daybook, engine, [...people.sites].map(domainOf))).map(({ page }) => page));
    return [...acknowledged].every((page) => pages.has(page));
  });
  await sealed(all, date(TODAY));
  const hits = await exported(daybook, engine, [...people.sites].map(domainOf));
  assertOnce(
    hits.map(({ page }) => page),
    sent,
    acknowledged,
  );
  assert.deepEqual(await differences(servers, DATABASE), []);
  await assertFigures(all.ask, people.sites, hits);
  await daybook.print(['check', '--engine', engine, '--db', daybook.db]);
  t.diagnostic(`${acknowledged.size} acknowledged, ${sent.size - acknowledged.size} more were sent`);
});
