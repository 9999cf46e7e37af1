import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { listCollectors } from '../../src/store/cluster/collectors.ts';
import { assertFigures, assertOnce, differences, exported, type Hit, TABLES } from '../../test/cluster/books.ts';
import { domainOf } from '../../test/cluster/crowd.ts';
import { filesIn, writtenAs } from '../../test/cluster/files.ts';
import { rowsOn, type Server } from '../../test/cluster/servers.ts';
import { TODAY } from '../../test/collect/stage.ts';
import { date } from '../../test/stats/days.ts';
import { until } from '../../test/support/program.ts';
import { look } from '../furnish.ts';
import { DATABASE, type World } from './world.ts';

/* What must be so once the troubles are over. */

const LONG_MS = 300_000;
const LOOK_MS = 500;
const RESTART_MS = 90_000;
const DAY_MS = 86_400_000;

/** Waits for longer than until, and looks less often, because each look is a question to a cluster. */
const patiently = (what: string, holds: () => boolean | Promise<boolean>): Promise<void> =>
  until(
    what,
    async () => {
      if (await holds()) return true;
      await pause(LOOK_MS);
      return false;
    },
    LONG_MS,
  );

/** All servers are complete, and have the same. */
export async function assertAlike(world: World): Promise<void> {
  const { servers, statesOf } = world;
  const incomplete = () => [...statesOf()].filter(([, state]) => state !== 'complete');
  await patiently('all servers are complete', () => incomplete().length === 0);
  let found: string[] = ['nobody has looked'];
  const isAlike = async () => {
    found = await differences(servers, DATABASE).catch((error: Error) => [error.message]);
    return found.length === 0;
  };
  await patiently('replicas are the same', isAlike).catch(async () => {
    throw new Error([...found, ...(await activitySums(world)), await describe(world)].join('\n'));
  });
}

/** Which rows of which sender each server has, for somebody who looks where replicas differ. */
async function activitySums({ servers }: World): Promise<string[]> {
  const sql = `SELECT seq % 64 AS sender, day, count() AS n, min(seq) AS first, max(seq) AS last, sum(cityHash64(*)) AS hash
    FROM activity GROUP BY sender, day ORDER BY sender, day`;
  const sums = servers.map(async (server) => {
    const rows = await rowsOn<object>(server, DATABASE, sql);
    return rows.map((row) => `${server.http} ${JSON.stringify(row)}`);
  });
  return (await Promise.all(sums)).flat();
}

/**
 * Pages that are on the first replicas, as open rows or sealed, and of each day the oldest site with a hit: quicker to find than by an
 * export of each site.
 */
async function arrivedAt({ servers }: World): Promise<{ pages: Set<string>; siteByDay: Map<number, number> }> {
  const sql = `SELECT site, day, page FROM activity WHERE engaged = 0
    UNION ALL SELECT site, day, arrayJoin(h_page) AS page FROM visit`;
  const [pages, siteByDay] = [new Set<string>(), new Map<number, number>()];
  for (const server of servers.filter(({ replica }) => replica === 0)) {
    for (const { site, day, page } of await rowsOn<{ site: number; day: number; page: string }>(
      server,
      DATABASE,
      sql,
    )) {
      pages.add(page);
      siteByDay.set(day, Math.min(site, siteByDay.get(day) ?? site));
    }
  }
  return { pages, siteByDay };
}

/** Collectors that were retired are gone, because all that they had is sent. */
async function assertRetired({ daybook, own }: World): Promise<void> {
  let left: string[] = [];
  const areGone = () => {
    const known = look(daybook.db, (db) => listCollectors(db).map(({ name }) => name));
    left = own.retired.map(({ name }) => name).filter((name) => known.includes(name));
    return left.length === 0;
  };
  await patiently('retired collectors are gone', areGone).catch(() => assert.deepEqual(left, []));
}

async function assertArrived(world: World): Promise<void> {
  let lost: string[] = [];
  let failure: unknown;
  const isThere = async () => {
    try {
      const { pages } = await arrivedAt(world);
      lost = [...world.people.acknowledged].filter((page) => !pages.has(page));
      failure = undefined;
      return lost.length === 0;
    } catch (error) {
      // A fill makes the tables of a server anew, so for a moment there is no table to ask.
      failure = error;
      return false;
    }
  };
  await patiently('all that was acknowledged is there', isThere).catch(() => {
    assert.ifError(failure);
    assert.deepEqual(lost.slice(0, 20), [], `${lost.length} are lost`);
  });
}

const hitsOf = ({ daybook, engine, people }: World): Promise<Hit[]> =>
  exported(daybook, engine, [...people.sites].map(domainOf));

/** What the primary's file and doctor say, for people who look why something does not end. */
async function describe({ daybook, engine, statesOf }: World): Promise<string> {
  const { stdout } = await daybook.run(['doctor', '--engine', engine, '--db', daybook.db]);
  const wrong = stdout.split(/^(?=OK|ATTENTION)/m).filter((one) => one.startsWith('ATTENTION'));
  return [...wrong, JSON.stringify([...statesOf()])].join('\n');
}

/** Waits until every day before today is sealed, each of a site that has hits of it. */
async function assertSealed(world: World, siteByDay: ReadonlyMap<number, number>): Promise<void> {
  const { api, own, today } = world;
  const over = [...siteByDay].filter(([day]) => day < today());
  let startedAt = performance.now();
  let open = '';
  await patiently('all days that are over are sealed', async () => {
    // What could not be sealed is tried again after an hour, and at a start.
    if (performance.now() - startedAt > RESTART_MS) {
      startedAt = performance.now();
      await own.stopPrimary('SIGTERM');
      await own.startPrimary();
    }
    for (const [day, site] of over) {
      const { status, data } = await api('GET', `/sites/${site}/stats/days?range=${date(day)}~${date(day)}`);
      const state = status === 200 ? (data as { days: { state: string }[] }).days[0]?.state : status;
      if (state === 'sealed') continue;
      open = `site ${site} ${date(day)}: ${state}`;
      return false;
    }
    return true;
  }).catch(async (error: Error) => {
    throw new Error(`${error.message} (${open})\n${await describe(world)}`);
  });
}

/** How many of a kind were counted must lie between those that were acknowledged and those that were sent. */
async function assertCounted({ servers, people }: World): Promise<void> {
  const own = servers.filter(({ replica }) => replica === 0);
  const sum = async (sql: string) => {
    const rows = await Promise.all(own.map((server) => rowsOn<{ n: number }>(server, DATABASE, sql)));
    return rows.flat().reduce((all, { n }) => all + n, 0);
  };
  const twice = await sum(
    'SELECT count() AS n FROM (SELECT sum(requests) AS r FROM crawled GROUP BY site, day, crawler, page HAVING r > 1)',
  );
  const counts = {
    crawls: [people.crawls, await sum("SELECT sum(requests) AS n FROM crawled WHERE page LIKE '/%'")],
    excluded: [people.excluded, await sum("SELECT sum(hits) AS n FROM dropped WHERE reason = 'excluded'")],
  } as const;
  assert.equal(twice, 0, 'requests of crawlers that count twice');
  for (const [name, [{ sent, acknowledged }, n]] of Object.entries(counts))
    assert.ok(n >= acknowledged.size && n <= sent.size, `${name}: ${acknowledged.size} <= ${n} <= ${sent.size}`);
}

/** Rows of sites that were deleted, and of open days that are sealed, by server and table. */
async function leftRows({ servers, today }: World, gone: readonly number[]): Promise<string[]> {
  const left: string[] = [];
  for (const server of servers) {
    for (const table of TABLES) {
      const conditions = [
        ...(gone.length > 0 ? [`site IN (${gone.join()})`] : []),
        ...(table === 'activity' ? [`day < ${today()}`] : []),
      ];
      if (conditions.length === 0) continue;
      const sql = `SELECT count() AS n FROM ${table} WHERE ${conditions.join(' OR ')}`;
      const [found] = await rowsOn<{ n: number }>(server, DATABASE, sql);
      if (found?.n !== 0) left.push(`${found?.n} rows of ${table} on ${server.http}`);
    }
  }
  return left;
}

const filesOf = ({ daybook, own }: World): string[] => [
  daybook.db,
  ...own.numbers.map(own.outboxOf),
  ...own.retired.map(({ outbox }) => outbox),
];

/** Salts that should be gone: of days that are over, and of sites that are not there. */
function leftSalts(world: World): string[] {
  const sites = look(world.daybook.db, (db) => db.all<{ id: number }>('SELECT id FROM site').map(({ id }) => id));
  return filesOf(world).flatMap((path) => {
    const sql = `SELECT count(*) AS n FROM salt WHERE day < ? OR site_id NOT IN (${sites.join()})`;
    const n = look(path, (db) => db.one<{ n: number }>(sql, world.today())?.n ?? 0);
    return n === 0 ? [] : [`${n} salts in ${path}`];
  });
}

/** Codes of visitors and salts that were somewhere while their days ran. */
export function secretsOf(world: World) {
  const codes = new Map<string, number>();
  const salts = new Map<string, { day: number; siteId: number }>();
  return {
    /** Notes some that are on these servers now. */
    async note(servers: readonly Server[]): Promise<void> {
      const sql = `SELECT DISTINCT toString(visitor) AS code, day FROM activity WHERE day <= ${world.today()} LIMIT 3`;
      for (const server of servers) {
        const rows = await rowsOn<{ code: string; day: number }>(server, DATABASE, sql).catch(() => []);
        for (const { code, day } of rows) codes.set(code, day);
      }
      const listed = look(world.daybook.db, (db) =>
        db.all<{ hex: string; day: number; siteId: number }>(
          'SELECT hex(bytes) AS hex, day, site_id AS siteId FROM salt ORDER BY site_id DESC LIMIT 4',
        ),
      );
      for (const { hex, ...of } of listed) salts.set(hex, of);
    },
    /** Files that have some of those whose days are over, or whose sites are gone. */
    left(gone: readonly number[]): string[] {
      const isOver = (day: number) => day < world.today();
      const old = [...codes].filter(([, day]) => isOver(day)).flatMap(([code]) => writtenAs(BigInt(code)));
      const of = [...salts].filter(([, { day, siteId }]) => isOver(day) || gone.includes(siteId));
      const kinds = { codes: old, salts: of.map(([hex]) => Buffer.from(hex, 'hex')) };
      const folders = [...world.servers.map(({ folder }) => `${folder}/data`), world.daybook.folder];
      const files = [...folders, ...(world.disk === undefined ? [] : [world.disk])].flatMap(filesIn);
      return files.flatMap(({ path, bytes }) =>
        Object.entries(kinds).flatMap(([kind, secrets]) => {
          const n = secrets.filter((secret) => bytes.includes(secret)).length;
          return n === 0 ? [] : [`${n} ${kind} in ${path}`];
        }),
      );
    },
    told: () => `${codes.size} codes and ${salts.size} salts looked for`,
  };
}

type Guests = { gone: readonly number[] };

/** Everything that must be so at the end: the day is over, and every machine is up. */
export async function assertEnd(
  world: World,
  { gone }: Guests,
  secrets: ReturnType<typeof secretsOf>,
  atNight: () => Promise<void>,
): Promise<void> {
  const { people, own, clocks, daybook, engine, ask, reader } = world;
  await people.end();
  await assertRetired(world);
  await assertArrived(world);
  const siteByDay = new Map([...(await arrivedAt(world)).siteByDay].filter(([day]) => day >= TODAY));
  // So that it has seen today: a clock that leaps by three days is not trusted.
  await own.stopPrimary('SIGTERM');
  await own.startPrimary();
  clocks.leap(DAY_MS);
  await atNight();
  await assertSealed(world, siteByDay);
  const hits = await hitsOf(world);
  assertOnce(
    hits.map(({ page }) => page),
    people.sent,
    people.acknowledged,
  );
  await assertCounted(world);
  await assertFigures(async (site, path) => ({ body: await ask(site + 1, path) }), people.sites, hits);
  // A primary that was killed while it sealed may have staged visits on some replicas only. They are deleted after a day.
  clocks.leap(DAY_MS);
  let left: (string | number)[] = [];
  await patiently('nothing is left of days that are sealed and sites that were deleted', async () => {
    left = [...(await leftRows(world, gone)), ...leftSalts(world)];
    return left.length === 0;
  }).catch(() => assert.deepEqual(left, []));
  await assertAlike(world);
  let named: string[] = [];
  const isNobodyNamed = () => {
    named = secrets.left(gone);
    return named.length === 0;
  };
  await patiently('no file names anybody', isNobodyNamed).catch(() => assert.deepEqual(named, []));
  const checked = daybook.print(['check', '--engine', engine, '--db', daybook.db], { deadlineMs: LONG_MS });
  assert.match(await checked, / 0 differ$/);
  await reader.end();
  assert.deepEqual(reader.faults, []);
}
