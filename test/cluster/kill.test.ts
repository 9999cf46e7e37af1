import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { furnish } from '../support/furnish.ts';
import { folder } from '../support/helpers.ts';
import { DEADLINE_MS, program, until } from '../support/program.ts';
import { chance } from '../support/random.ts';
import { assertFigures, assertOnce, differences, exported } from './books.ts';
import { clocksIn } from './clocks.ts';
import { CLIENTS, crowd, domainOf, SITES } from './crowd.ts';
import { commandBy, type Machines, machines } from './machines.ts';
import { CLUSTER, hostsOf, type Server as Node, rowsOn, startCluster } from './servers.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const COLLECTORS = 3;
const DATABASE = 'own';
/** Where the clock of all processes stands when the test begins. It leaps to just before midnight once hits have come. */
const EVENING = TODAY * 86_400_000 + Date.parse('1970-01-01T23:00:00Z');
const NEARLY_MIDNIGHT = EVENING + 59 * 60_000 + 40_000;
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

type Stage = Awaited<ReturnType<typeof stage>>;

async function stage(t: TestContext) {
  const nodes = await startCluster(folder(t), 2, 2);
  t.after(() => Promise.all(nodes.map(({ kill }) => kill())));
  const engine = `clickhouse://${hostsOf(nodes)}/${DATABASE}?cluster=${CLUSTER}`;
  const clocks = clocksIn(folder(t), EVENING);
  const daybook = program(t, { command: commandBy(clocks, 'primary') });
  const token = await furnish(
    daybook.db,
    Array.from({ length: SITES }, (_, site) => domainOf(site)),
  );
  const own = await machines(t, { primary: daybook, engine, clocks, collectors: COLLECTORS });
  const ask = async (site: number, path: string) => {
    const url = `${own.primary().url}/api/v1/sites/${site + 1}/stats/${path}`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    return { status: answer.status, body: (await answer.json()) as { data: unknown } };
  };
  const file = new Database(daybook.db, { readonly: true });
  t.after(() => file.close());
  /** The second of the primary's last try to seal days. */
  const triedAt = () => file.prepare("SELECT at FROM upkeep WHERE name = 'seal'").pluck().get();
  return { nodes, engine, clocks, daybook, own, ask, triedAt };
}

/** Waits until the day before is sealed, as it is at a start once all have said that they have sent what they took of it. */
async function sealed({ own, clocks, ask, triedAt }: Stage, day: string): Promise<void> {
  await own.stopAll();
  clocks.leap(1_800_000);
  await own.startAll();
  const isSealed = async () => {
    await own.stopPrimary('SIGTERM');
    // Each try has a second of its own.
    clocks.leap(1_000);
    const before = triedAt();
    await own.startPrimary();
    await until('the primary has tried to seal', () => triedAt() !== before);
    const { status, body } = await ask(0, `days?range=${day}~${day}`);
    // 503 where servers of the cluster are not there yet.
    return status === 200 && (body.data as { days: { state: string }[] }).days[0]?.state === 'sealed';
  };
  await until('the day before is sealed', isSealed, 3 * DEADLINE_MS);
}

test('whatever is killed at whatever moment, what was acknowledged is on every replica, once, and makes the figures', async (t) => {
  const random = chance(t);
  const all = await stage(t);
  const { nodes: servers, engine, daybook, own } = all;
  const people = crowd(random, own.ports);
  const more = (least: number) => async () => {
    const before = people.acknowledged.size;
    await until('more are acknowledged', () => people.acknowledged.size >= before + least);
  };
  await more(OF_THE_EVENING)();
  all.clocks.leap(NEARLY_MIDNIGHT - all.clocks.now());
  // A collector whose clock leapt takes no hits until the primary answers, and a round may begin with the end of the primary.
  await until('all collectors know the time', async () => {
    const answers = await Promise.all(own.ports().map((port) => fetch(`http://127.0.0.1:${port}/readyz`)));
    return answers.every(({ ok }) => ok);
  });
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
