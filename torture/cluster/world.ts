import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { clocksIn } from '../../test/cluster/clocks.ts';
import { crowd, domainOf, SITES } from '../../test/cluster/crowd.ts';
import { type Gates, gatesOf } from '../../test/cluster/gates.ts';
import { commandBy, machines } from '../../test/cluster/machines.ts';
import { CLUSTER, type Server, startCluster } from '../../test/cluster/servers.ts';
import { TODAY } from '../../test/collect/stage.ts';
import { date } from '../../test/stats/days.ts';
import { smallDisk } from '../../test/support/disk.ts';
import { furnish } from '../../test/support/furnish.ts';
import { folder } from '../../test/support/helpers.ts';
import { type Program, program, until } from '../../test/support/program.ts';
import { chance, randomFrom } from '../../test/support/random.ts';
import { look } from '../furnish.ts';
import { askAt, poller } from './poller.ts';

/* Two shards with two replicas, a primary, three collectors, people who browse, and somebody who looks at reports. */

export const DATABASE = 'own';
const COLLECTORS = 3;
/** The outbox of the first collector is on a disk of its own. */
const DISK_KIB = 256 * 1024;
/** Where all clocks stand at first. */
const START = TODAY * 86_400_000 + Date.parse('1970-01-01T20:00:00Z');

/** A site that has hits of some days, and none that come. */
const PAST = { number: SITES + 1, domain: 'past.example', days: [TODAY - 3, TODAY - 2, TODAY - 1], hits: 300 };

/** So many people, who rest so long between two pages: some 250 hits a second in all. */
const PEOPLE = { clients: 8, restMs: 28, othersIn: 40 };

export type World = Awaited<ReturnType<typeof buildWorld>>;

/** Brings hits of days that are over. */
async function bringPast({ print, folder: at, db }: Program, engine: string): Promise<void> {
  const lines = PAST.days.flatMap((day) =>
    Array.from({ length: PAST.hits }, (_, n) => {
      const second = (n * 277) % 86_400;
      const moment = new Date((day * 86_400 + second) * 1000).toISOString();
      return JSON.stringify({
        at: moment,
        url: `https://${PAST.domain}/${n % 17}`,
        visitor: `v${n % 90}`,
        country: ['DE', 'US', 'FR'][n % 3],
        device: 'Desktop',
        browser: ['Chrome', 'Firefox'][n % 2],
        os: 'Windows',
      });
    }),
  );
  const file = join(at, 'past.ndjson');
  writeFileSync(file, `${lines.join('\n')}\n`);
  await print(['import', PAST.domain, file, '--format', 'ndjson', '--engine', engine, '--db', db]);
}

/** What is asked all the time: days that are over of one site, and the running and the last days of others. */
function questionsAt(now: () => number) {
  const [first = 0, last = 0] = [PAST.days[0], PAST.days.at(-1)];
  const range = `range=${date(first)}~${date(last)}`;
  const fixed = ['overview', 'breakdown/pages', 'breakdown/countries'].map((path) => ({
    site: PAST.number,
    path: `${path}?${range}`,
    grows: false,
  }));
  return () => {
    const today = Math.floor(now() / 86_400_000);
    const growing = [today, today - 1].flatMap((day) =>
      [1, 2, 3].flatMap((site) =>
        ['overview', 'breakdown/countries'].map((path) => ({
          site,
          path: `${path}?range=${date(day)}~${date(day)}`,
          grows: true,
        })),
      ),
    );
    return [...fixed, ...growing];
  };
}

export type State = 'complete' | 'lacking' | 'filling';

/** What the primary's file says of a server. */
const statesIn = (db: string): Map<string, State> =>
  look(db, (file) => {
    const rows = file.all<{ url: string; state: State }>('SELECT url, state FROM cluster_server');
    return new Map(rows.map(({ url, state }) => [new URL(url).host, state]));
  });

/** The latest mark that the primary has noted for a server. */
const beatIn = (db: string, host: string): number =>
  look(
    db,
    (file) => file.one<{ beat: number }>('SELECT beat FROM cluster_server WHERE url = ?', `http://${host}/`)?.beat ?? 0,
  );

/** Copies of the folders of servers, as they were at a moment. `beatOf` finds the latest mark that the primary has noted. */
function copiesOf(at: string, beatOf: (server: Server) => number) {
  const placeOf = ({ http }: Server) => join(at, String(http));
  const beats = new Map<number, number>();
  return {
    take(server: Server): void {
      rmSync(placeOf(server), { recursive: true, force: true });
      cpSync(join(server.folder, 'data'), placeOf(server), { recursive: true });
      beats.set(server.http, beatOf(server));
    },
    putBack(server: Server): void {
      rmSync(join(server.folder, 'data'), { recursive: true });
      cpSync(placeOf(server), join(server.folder, 'data'), { recursive: true });
    },
    /** A copy without the latest mark is known as an older one. */
    isOlder: (server: Server): boolean => beatOf(server) > (beats.get(server.http) ?? Number.POSITIVE_INFINITY),
  };
}

/** The settings' file as it was before anything happened. */
async function olderFile({ print, folder: at, db }: Program): Promise<string> {
  const path = join(at, 'older.db');
  await print(['backup', path, '--db', db]);
  return path;
}

/**
 * A test whose ends go in turn, the latest first. One that fails keeps no other from its turn: a program that went on would keep the
 * whole run from ending.
 */
function endingInTurn(t: TestContext): TestContext {
  const ends: (() => unknown)[] = [];
  t.after(async () => {
    for (const end of ends.reverse()) {
      try {
        await end();
      } catch (error) {
        process.stdout.write(`${(error as Error).stack}\n`);
      }
    }
  });
  return new Proxy(t, {
    get(target, name) {
      if (name === 'after') return (end: () => unknown) => void ends.push(end);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

export async function buildWorld(test: TestContext) {
  const t = endingInTurn(test);
  const random = chance(t);
  const servers = await startCluster(folder(t), 2, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const gates: Gates = await gatesOf(t, servers);
  const engine = `clickhouse://${gates.hosts}/${DATABASE}?cluster=${CLUSTER}`;
  const clocks = clocksIn(folder(t), START);
  const daybook = program(t, { command: commandBy(clocks, 'primary') });
  const domains = [...Array.from({ length: SITES }, (_, site) => domainOf(site)), PAST.domain];
  const token = await furnish(daybook.db, domains);
  const disk = smallDisk(t, DISK_KIB);
  const diskOf = (i: number) => (i === 0 ? disk : undefined);
  const own = await machines(t, { primary: daybook, engine, clocks, collectors: COLLECTORS, diskOf });
  const older = await olderFile(daybook);
  await bringPast(daybook, engine);
  const copies = copiesOf(folder(t), (server) => beatIn(daybook.db, gates.hostOf(server)));
  for (const server of servers) {
    await server.kill('SIGTERM');
    copies.take(server);
    await server.start();
  }
  const people = crowd(randomFrom(1 + Math.floor(random() * 2_000_000_000)), () => [...own.ports()], PEOPLE);
  const api = (method: string, path: string, body?: object) =>
    askAt(`${own.primary().url}/api/v1${path}`, token, method, body);
  const ask = (site: number, path: string) => api('GET', `/sites/${site}/stats/${path}`);
  const questions = questionsAt(clocks.now);
  await until('the days that are over can be asked for', async () => {
    const [first] = questions();
    return first !== undefined && (await ask(first.site, first.path)).status === 200;
  });
  const reader = poller(ask, own.state, questions);
  t.after(async () => {
    await Promise.all([people.end(), reader.end()]);
  });
  return {
    ...{ random, servers, gates, engine, clocks, daybook, disk, own, older, copies, people, api, ask, reader },
    domains,
    statesOf: () => statesIn(daybook.db),
    today: () => Math.floor(clocks.now() / 86_400_000),
    /** Waits until so many more are acknowledged. */
    async more(least: number): Promise<void> {
      const before = people.acknowledged.size;
      await until('more are acknowledged', () => people.acknowledged.size >= before + least);
    },
  };
}
