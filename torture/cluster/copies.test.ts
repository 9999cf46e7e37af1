// Loses, replaces, damages and ages the copies of open days of a primary, and kills the primary, while hits come in and
// a shard is added.
//
// Invariant: no answer is wrong at any moment. In the end each acknowledged hit is there once, and the answers from
// copies are those of a file that got all rows of the cluster.
//
// Example of a round: the copy of 120,000 rows answers. Its file is deleted, and the log names it. ClickHouse answers.
// The primary is killed, an older copy is put in place, and the primary starts. It deletes that copy and makes a new one.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findLowestNumber, SENDERS } from '../../src/cluster/servers/row-numbers.ts';
import { assertOnce, exported } from '../../test/cluster/books.ts';
import { crowd, domainOf } from '../../test/cluster/crowd.ts';
import { beginEvening, DATABASE, waitForTime } from '../../test/cluster/evening.ts';
import { hostsOf, rowsOn, type Server, startCluster } from '../../test/cluster/servers.ts';
import { TODAY } from '../../test/collect/stage.ts';
import { date } from '../../test/stats/days.ts';
import { folder } from '../../test/support/helpers.ts';
import { until } from '../../test/support/program.ts';
import { chance } from '../../test/support/random.ts';
import { scaled } from '../scale.ts';
import { askAt, poller } from './poller.ts';

/** Rounds before the shard is added, and on the first day with two shards. One more round is while it is added. */
const ROUNDS = Number(process.env.ROUNDS ?? scaled(1, 5));
const DAY_MS = 86_400_000;
/** At this hour, the first time zone has begun the next day. So a new division begins the day after that. */
const HOUR = 20;
const PEOPLE = { clients: 6, restMs: 20 };
/** From 100,000 rows on, a copy has shards that threads write and read. A copy of so many rows takes seconds. */
const LARGE_ROWS = 120_000;
/** The large site is that of the first of the people. */
const LARGE_SITE = 1;
const LARGE_PAGE = '/large/';
/** After a failure, the primary makes a new copy a minute later. On a busy machine, the copy itself takes a minute too. */
const LONG_MS = 300_000;

const ENDS = ['', '-wal', '-shm'];
const NAMED = /the copy of open days does not work/;

type Random = () => number;
type Trouble = (copy: string, older: string) => void;

/** Does something to the file and to its WAL, which SQLite keeps beside it. */
const withFiles =
  (work: Trouble, ends = ENDS): Trouble =>
  (copy, older) => {
    for (const end of ends) work(`${copy}${end}`, `${older}${end}`);
  };
const remove: Trouble = (copy) => rmSync(copy, { force: true });

/** What may befall the copy while the primary runs. The log must name each. */
const WHILE_RUNNING: Record<string, Trouble> = {
  deleted: withFiles(remove),
  'without WAL': (copy) => rmSync(`${copy}-wal`),
  replaced: (copy, older) => {
    cpSync(older, `${copy}.new`);
    renameSync(`${copy}.new`, copy);
  },
  emptied: withFiles((path) => truncateSync(path), ['', '-wal']),
  damaged: (copy) => {
    writeFileSync(copy, randomBytes(statSync(copy).size));
    truncateSync(`${copy}-wal`);
  },
};

/** What may befall the copy between a kill of the primary and its next start. */
const WHILE_KILLED: Record<string, Trouble> = {
  left: () => {},
  deleted: withFiles(remove),
  older: withFiles((path, older) => cpSync(older, path)),
  damaged: withFiles((path) => writeFileSync(path, randomBytes(100_000))),
};

/** A statement that stores hits of the large site on one shard. Each visitor has three. */
const insertLarge = (day: number, now: number, { shard, shards }: { shard: number; shards: number }): string => {
  const first = findLowestNumber(now) / SENDERS - LARGE_ROWS;
  const seconds = Math.max(1, Math.floor(now / 1000) - day * 86_400);
  return `INSERT INTO activity (site, day, second, seq, visitor, page)
    SELECT ${LARGE_SITE}, ${day}, number % ${seconds}, (${first} + number) * ${SENDERS},
      intDiv(number, ${3 * shards}) * ${2 ** 37} + ${shard}, concat('${LARGE_PAGE}', toString(number % 100))
    FROM numbers(${LARGE_ROWS}) WHERE number % ${shards} = ${shard}`;
};

type World = Awaited<ReturnType<typeof stage>>;

async function stage(t: TestContext, random: Random) {
  const servers = (await Promise.all([1, 2].map(() => startCluster(folder(t), 1, 1)))).flat();
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const [first, spare] = servers as [Server, Server];
  const evening = await beginEvening(t, [first], HOUR);
  const { own, clocks, daybook, token } = evening;
  const askApi = (method: string, path: string) => askAt(`${own.primary().url}/api/v1${path}`, token, method);
  const askSite = (site: number, path: string) => askApi('GET', `/sites/${site}/stats/${path}`);
  const people = crowd(random, own.ports, PEOPLE);
  const today = () => Math.floor(clocks.now() / DAY_MS);
  const sites = Array.from({ length: PEOPLE.clients }, (_, i) => i + 1);
  const questions = () =>
    [today(), today() - 1].flatMap((day) =>
      sites.flatMap((site) =>
        ['overview', 'breakdown/countries'].map((report) => ({
          site,
          path: `${report}?range=${date(day)}~${date(day)}`,
          grows: true,
        })),
      ),
    );
  const reader = poller(askSite, own.state, questions);
  t.after(() => Promise.all([people.end(), reader.end()]));
  const copy = `${daybook.db}.open-days`;
  const older = join(folder(t), 'older');
  return { ...evening, askApi, askSite, first, spare, people, reader, today, sites, copy, older };
}

/** Waits until more hits are acknowledged. */
async function more({ people }: World, least = 200): Promise<void> {
  const before = people.acknowledged.size;
  await until('more hits are acknowledged', () => people.acknowledged.size >= before + least);
}

type Copy = { site: string; day: string; rows: number; state: string };

/** Finds what the page "Cluster" says of the copy of the large day. */
async function findCopy({ askApi, today }: World): Promise<Copy | undefined> {
  const { status, data } = await askApi('GET', '/cluster');
  const { copies = [] } = (status === 200 ? data : {}) as { copies?: Copy[] };
  return copies.find(({ site, day }) => site === domainOf(LARGE_SITE - 1) && day === date(today()));
}

/** Waits until a query of the large day is answered from its copy. */
async function waitForCopy(world: World): Promise<void> {
  let found: Copy | undefined;
  const isReady = async () => {
    await world.askSite(LARGE_SITE, `overview?range=${date(world.today())}~${date(world.today())}`);
    found = await findCopy(world);
    return found?.state === 'current' && found.rows >= LARGE_ROWS;
  };
  await until('a copy of the large day answers', isReady, LONG_MS).catch(({ message }: Error) =>
    assert.fail(`${message}: ${JSON.stringify(found)}`),
  );
}

/** Gives things in a random order, again and again. */
function* shuffle<Thing>(things: readonly Thing[], random: Random): Generator<Thing, never> {
  for (;;) {
    const left = [...things];
    while (left.length > 0) yield* left.splice(Math.floor(random() * left.length), 1);
  }
}

/** Chooses what befalls the copy, and notes it. */
function makeTroubles(random: Random) {
  const [running, killed] = [WHILE_RUNNING, WHILE_KILLED].map((all) => shuffle(Object.entries(all), random));
  const counts = new Map<string, number>();
  const next = (from: typeof running, when: string): [string, Trouble] => {
    const [name, begin] = from?.next().value ?? assert.fail();
    const told = `${name} while it ${when}`;
    counts.set(told, (counts.get(told) ?? 0) + 1);
    return [told, begin];
  };
  return {
    random,
    counts,
    nextRunning: () => next(running, 'runs'),
    nextKilled: () => next(killed, 'is killed'),
  };
}

type Troubles = ReturnType<typeof makeTroubles>;

/** A collector hangs, so the copy falls behind. The page "Cluster" says so, and ClickHouse answers. */
async function fallBehind(world: World, { random }: Troubles): Promise<void> {
  const { own } = world;
  const pid = own.collector(Math.floor(random() * own.numbers.length))?.pid ?? assert.fail();
  process.kill(pid, 'SIGSTOP');
  try {
    await until('the copy is behind', async () => (await findCopy(world))?.state === 'behind');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/** Something befalls the copy while it answers, and the log names it. Then the primary is killed, and starts again. */
async function round(world: World, troubles: Troubles): Promise<void> {
  const { own, copy, older } = world;
  const { random, nextRunning, nextKilled } = troubles;
  const start = performance.now();
  await waitForCopy(world);
  if (!existsSync(older)) withFiles((path, place) => cpSync(path, place))(copy, older);
  await fallBehind(world, troubles);
  await waitForCopy(world);
  const [running, begin] = nextRunning();
  const { stderr } = own.primary();
  const before = stderr.length;
  const begunAt = performance.now();
  begin(copy, older);
  // Damage is found when it is read. Until then, threads may answer from what they have in memory.
  await until(`${running} is named`, () => stderr.slice(before).some((line) => NAMED.test(line)), LONG_MS);
  const named = performance.now() - begunAt;
  await more(world);
  await own.stopPrimary('SIGKILL');
  const [killed, change] = nextKilled();
  change(copy, older);
  await own.startPrimary();
  // The next question of the poller begins a copy, which takes seconds.
  await pause(3_000 * random());
  await own.stopPrimary('SIGKILL');
  await more(world);
  await own.startPrimary();
  const [took, toldAfter] = [performance.now() - start, named].map((ms) => (ms / 1000).toFixed(1));
  process.stdout.write(`${running} (named after ${toldAfter} s), ${killed}: ${took} s\n`);
}

/** Stores the hits of the large site's day, and something befalls its copy several times. */
async function spendDay(world: World, troubles: Troubles, servers: readonly Server[]) {
  const { today, clocks } = world;
  const [day, shards] = [today(), servers.length];
  for (const [shard, server] of servers.entries())
    await rowsOn(server, DATABASE, insertLarge(day, clocks.now(), { shard, shards }));
  for (let n = 0; n < ROUNDS; n++) await round(world, troubles);
}

/** Goes on to a moment just before a day begins, and past it. */
async function goTo(world: World, day: number): Promise<void> {
  const { clocks } = world;
  clocks.leap(day * DAY_MS - 3_000 - clocks.now());
  await waitForTime(world);
  // The rows of the large day have numbers from 8 s before they are stored.
  await until('the day has begun', () => clocks.now() > day * DAY_MS + 10_000);
  await more(world);
}

const REPORTS = [
  'overview',
  'breakdown/pages',
  'breakdown/entry_pages',
  'breakdown/countries',
  `overview?filters[page]=${LARGE_PAGE}7`,
];

async function readReports({ askSite, sites }: World, days: readonly number[]): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (const day of days)
    for (const site of sites)
      for (const report of REPORTS) {
        const path = `${report}${report.includes('?') ? '&' : '?'}range=${date(day)}~${date(day)}`;
        const { status, data } = await askSite(site, path);
        assert.equal(status, 200, path);
        answers.set(`${site} ${path}`, data);
      }
  return answers;
}

/** All that was acknowledged is there once. The hits of the large site that nobody sent are counted by their number. */
async function assertHits({ daybook, engine, people, sites }: World, large: number): Promise<void> {
  const { sent, acknowledged } = people;
  const domains = sites.map((site) => domainOf(site - 1));
  let pages: string[] = [];
  await until(
    'all that was acknowledged is there',
    async () => {
      pages = (await exported(daybook, engine, domains)).map(({ page }) => page);
      const known = new Set(pages);
      return [...acknowledged].every((page) => known.has(page));
    },
    LONG_MS,
  );
  const [own, others] = [true, false].map((is) => pages.filter((page) => page.startsWith(LARGE_PAGE) === is));
  assert.equal(own?.length, large);
  assertOnce(others ?? [], sent, acknowledged);
}

/** Moves all rows into a file, whose answers must be those that the copies and ClickHouse gave. */
async function assertTwin(world: World, days: readonly number[]): Promise<void> {
  const { own, daybook, engine } = world;
  await waitForCopy(world);
  const before = await readReports(world, days);
  for (const i of own.numbers) {
    await own.stopCollector(i, 'SIGTERM');
    await daybook.print(['collectors', 'retire', `c${i}`, '--lost', '--db', daybook.db]);
  }
  const move = ['move', '--to', 'file', '--engine', engine, '--db', daybook.db];
  await daybook.print(move, { deadlineMs: LONG_MS });
  await own.stopPrimary('SIGTERM');
  await daybook.print(move, { deadlineMs: LONG_MS });
  const file = await daybook.serve(['--db', daybook.db, '--rate-limit', '0']);
  const askSite = (site: number, path: string) =>
    askAt(`${file.url}/api/v1/sites/${site}/stats/${path}`, world.token, 'GET');
  const after = await readReports({ ...world, askSite }, days);
  await file.stop();
  for (const [path, data] of before) assert.deepEqual(data, after.get(path), path);
}

test('C3 copies of open days are lost, replaced, damaged and old while a shard is added, and no answer is wrong', async (t) => {
  const random = chance(t);
  const world = await stage(t, random);
  const { daybook, engine, first, spare, people, reader } = world;
  const troubles = makeTroubles(random);
  await more(world);
  await spendDay(world, troubles, [first]);
  const command = ['cluster', 'add-shard', hostsOf([spare]), '--engine', engine, '--db', daybook.db];
  const adding = daybook.print(command, { deadlineMs: 180_000 });
  await round(world, troubles);
  const [, from = ''] = /^from (\S+) on, visitors are divided among 2 shards/.exec(await adding) ?? [];
  const begin = Date.parse(from) / DAY_MS;
  assert.ok(begin >= TODAY + 2 && begin <= TODAY + 3, from);
  for (let day = TODAY + 1; day < begin; day++) await goTo(world, day);
  await goTo(world, begin);
  await spendDay(world, troubles, [first, spare]);
  await people.end();
  await reader.end();
  assert.deepEqual(reader.faults, []);
  await assertHits(world, 2 * LARGE_ROWS);
  await assertTwin(world, [TODAY, begin]);
  const { sent, acknowledged } = people;
  t.diagnostic(`${acknowledged.size} acknowledged, ${sent.size - acknowledged.size} more sent; ${reader.told()}`);
  t.diagnostic(`befell: ${JSON.stringify(Object.fromEntries(troubles.counts))}`);
});
