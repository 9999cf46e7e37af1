import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertFigures, assertOnce, differences, exported } from '../../test/cluster/books.ts';
import { crowd, domainOf } from '../../test/cluster/crowd.ts';
import { beginEvening, COLLECTORS, DATABASE, sealed, waitForTime } from '../../test/cluster/evening.ts';
import { commandBy } from '../../test/cluster/machines.ts';
import { hostsOf, rowsOn, type Server, startCluster } from '../../test/cluster/servers.ts';
import { TODAY } from '../../test/collect/stage.ts';
import { date } from '../../test/stats/days.ts';
import { folder } from '../../test/support/helpers.ts';
import { until } from '../../test/support/program.ts';
import { chance } from '../../test/support/random.ts';
import { scaled } from '../scale.ts';

/** Each command is killed so often before it may end. */
const KILLS = scaled(2, 12);
/** In some rounds between the kills, the primary or a collector is killed too. */
const ALSO = 0.4;
const DAY_MS = 86_400_000;
/** At this hour, the first time zone has begun the next day. So a new division begins the day after that. */
const HOUR = 20;

/** Each has a site of its own, and each export of a site takes a second. */
const PEOPLE = { clients: 6, restMs: 10 };

type Evening = Awaited<ReturnType<typeof beginEvening>>;
type Random = () => number;

/** Kills the primary or a collector, and starts it again. */
async function killSome({ own }: Evening, random: Random): Promise<void> {
  const i = Math.floor(random() * (COLLECTORS + 1));
  if (i === COLLECTORS) {
    await own.stopPrimary('SIGKILL');
    await pause(500 * random());
    await own.startPrimary();
  } else {
    await own.stopCollector(i, 'SIGKILL');
    await pause(500 * random());
    await own.startCollector(i);
  }
}

/** Runs a command of the cluster, which is killed again and again before it may end. */
async function runKilled(all: Evening, random: Random, words: string[]): Promise<string> {
  const { daybook, engine, clocks } = all;
  const args = ['cluster', ...words, '--engine', engine, '--db', daybook.db];
  const [node = '', ...flags] = commandBy(clocks, 'command');
  for (let n = 0; n < KILLS; n++) {
    const own = spawn(node, [...flags, ...args], { stdio: 'ignore' });
    const ended = once(own, 'exit');
    // It takes some 300 ms to start, and 500 ms more between two looks.
    await Promise.race([pause(1_500 * random()), ended]);
    own.kill('SIGKILL');
    await ended;
    if (random() < ALSO) await killSome(all, random);
  }
  return await daybook.print(args, { deadlineMs: 180_000 });
}

async function stage(t: TestContext, spares: number) {
  const own = await startCluster(folder(t), 1, 1);
  const more = (await Promise.all(Array.from({ length: spares }, () => startCluster(folder(t), 1, 1)))).flat();
  t.after(() => Promise.all([...own, ...more].map(({ kill }) => kill())));
  return { servers: own, spares: more, evening: await beginEvening(t, own, HOUR) };
}

test('C2 a cluster grows under load while its commands and its programs are killed, and nothing is lost or counted twice', async (t) => {
  const random = chance(t);
  const { servers, spares, evening } = await stage(t, 3);
  const { engine, daybook, own, clocks } = evening;
  const [first] = servers;
  const [second, replica, fresh] = spares as [Server, Server, Server];
  assert.ok(first);
  const people = crowd(random, own.ports, PEOPLE);
  const more = async () => {
    const before = people.acknowledged.size;
    await until('more are acknowledged', () => people.acknowledged.size >= before + 200);
  };
  /** Goes on to a moment just before a day begins, and past it. */
  const goTo = async (day: number) => {
    clocks.leap(day * DAY_MS - 3_000 - clocks.now());
    await waitForTime(evening);
    await until('the day has begun', () => clocks.now() > day * DAY_MS);
    await more();
  };
  await more();
  const said = await runKilled(evening, random, ['add-shard', hostsOf([second])]);
  const [, from = ''] = /^from (\S+) on, visitors are divided among 2 shards/.exec(said) ?? [];
  const begin = Date.parse(from) / DAY_MS;
  assert.ok(begin >= TODAY + 2 && begin <= TODAY + 3, said);
  await runKilled(evening, random, ['add-replica', hostsOf([replica]), '--shard', '1']);
  for (let day = TODAY + 1; day <= begin; day++) await goTo(day);
  await runKilled(evening, random, ['replace', hostsOf([second]), hostsOf([fresh])]);
  await second.kill();
  await more();
  await people.end();
  const { sent, acknowledged } = people;
  const domains = [...people.sites].map(domainOf);
  await until('all that was acknowledged is there', async () => {
    const pages = new Set((await exported(daybook, engine, domains)).map(({ page }) => page));
    return [...acknowledged].every((page) => pages.has(page));
  });
  await sealed(evening, date(begin - 1));
  const hits = await exported(daybook, engine, domains);
  const pages = hits.map(({ page }) => page);
  assertOnce(pages, sent, acknowledged);
  const now = [first, replica, { ...fresh, shard: 1 }];
  assert.deepEqual(await differences(now, DATABASE), []);
  // Nobody is taken for two people: all hits of a visitor on a day are on one shard.
  await assertFigures(evening.ask, people.sites, hits);
  const counts = await Promise.all(
    now
      .slice(1)
      .map((one) => rowsOn<{ n: number }>(one, DATABASE, `SELECT count() AS n FROM activity WHERE day = ${begin}`)),
  );
  assert.ok(
    counts.flat().every(({ n }) => n > 0),
    'the new day is on both shards',
  );
  t.diagnostic(
    `${acknowledged.size} acknowledged, ${sent.size - acknowledged.size} more sent, on ${begin - TODAY + 1} days`,
  );
});
