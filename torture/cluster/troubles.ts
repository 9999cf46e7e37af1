import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCollector } from '../../src/store/cluster/collectors.ts';
import type { Server } from '../../test/cluster/servers.ts';
import { until } from '../../test/support/program.ts';
import { look } from '../furnish.ts';
import type { World } from './world.ts';

/*
 * What befalls the machines, each a row. Machines are named by a letter and a number: `s0` to `s3` are the servers of ClickHouse,
 * of which two neighbours hold a shard, `c0` to `c2` the collectors, and `p0` is the primary.
 */

export type Trouble = {
  /** Which machines it may befall together. */
  places(world: World): string[][];
  /** Whether it must not befall one whose twin has trouble too, because what both have is lost then. */
  isLoss?: true;
  /** Whether the clock of a collector leaps. */
  isOfClock?: true;
  /** It lasts for so many rounds, in each of which the clocks go on. */
  rounds: number;
  begin(world: World, place: readonly string[]): Promise<void>;
  end(world: World, place: readonly string[]): Promise<void>;
  /** What doctor or a log must say while it lasts. */
  says?(world: World, name: string): RegExp;
};

const numberOf = (name: string | undefined): number => Number(name?.slice(1));
const serverOf = ({ servers }: World, name: string | undefined): Server => {
  const server = servers[numberOf(name)];
  if (!server) throw new Error(`there is no ${name}`);
  return server;
};

export const twinOf = (name: string): string => `s${numberOf(name) ^ 1}`;

const eachServer = ({ servers }: World): string[][] => servers.map((_, i) => [`s${i}`]);
const eachShard = (): string[][] => [
  ['s0', 's1'],
  ['s2', 's3'],
];
const eachCollector = ({ own }: World): string[][] => own.numbers.map((i) => [`c${i}`]);

const hostIn = (world: World, name: string): RegExp =>
  new RegExp(world.gates.hostOf(serverOf(world, name)).replaceAll('.', '\\.'));
const nameIn = (_: World, name: string): RegExp => new RegExp(`\\b${name}\\b`);

const onServers =
  (work: (server: Server, world: World) => Promise<unknown> | unknown) =>
  async (world: World, place: readonly string[]): Promise<void> => {
    for (const name of place) await work(serverOf(world, name), world);
  };
const onCollector =
  (work: (own: World['own'], i: number, world: World) => Promise<unknown> | unknown) =>
  async (world: World, [name]: readonly string[]): Promise<void> => {
    await work(world.own, numberOf(name), world);
  };

const start = onServers((server) => server.start());
const kill = onServers((server) => server.kill());

/** The primary looks at what every server has each minute. */
const NOTICED_MS = 90_000;

/** By the word of whoever runs the cluster, because such a server has lost what it had. */
const fill = onServers(async (server, { daybook, engine, gates, own, statesOf }) => {
  const host = gates.hostOf(server);
  await until('the primary is up', () => own.state().isUp);
  await until(`${host} is known to lack something`, () => statesOf().get(host) !== 'complete', NOTICED_MS);
  await until(
    `${host} is filled`,
    async () => {
      if (statesOf().get(host) === 'complete') return true;
      await daybook.run(['cluster', 'fill', host, '--engine', engine, '--db', daybook.db]);
      return statesOf().get(host) === 'complete';
    },
    180_000,
  );
});

/** The primary writes a mark to every server each minute, and notes it. */
const NOTED_MS = 75_000;

const fillerOf = ({ disk = '' }: World): string => join(disk, 'filler');

function fillDisk(world: World): void {
  const piece = Buffer.alloc(1024 * 1024);
  for (let size = piece.length; size >= 4096; size /= 2) {
    try {
      for (;;) writeFileSync(fillerOf(world), piece.subarray(0, size), { flag: 'a' });
    } catch {
      // There is no room for a piece of this size.
    }
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A collector's clock that is off by so much, in either direction. */
const skewed = (ms: number): Trouble => ({
  places: eachCollector,
  isOfClock: true,
  rounds: 1,
  begin: onCollector((_, i, { clocks, random }) => clocks.skew(`c${i}`, random() < 0.5 ? -ms : ms)),
  end: onCollector((_, i, { clocks }) => clocks.skew(`c${i}`, 0)),
  says: nameIn,
});

/** Collectors that have an outbox on a large disk, while the primary is up. */
const eachRetiring = ({ own }: World): string[][] =>
  own.state().isUp ? own.numbers.slice(1).map((i) => [`c${i}`]) : [];

const isHeard = ({ daybook, own }: World, i: number): Promise<void> =>
  until(
    'the collector is heard',
    () => look(daybook.db, (db) => findCollector(db, own.nameOf(i)))?.status !== undefined,
  );

export const TROUBLES: Record<string, Trouble> = {
  dead: { places: eachServer, rounds: 1, begin: kill, end: start, says: hostIn },
  behind: { places: eachServer, rounds: 2, begin: kill, end: start, says: hostIn },
  hanging: {
    places: eachServer,
    rounds: 1,
    begin: onServers((server) => process.kill(server.pid(), 'SIGSTOP')),
    end: onServers((server) => process.kill(server.pid(), 'SIGCONT')),
    says: hostIn,
  },
  shard: { places: eachShard, rounds: 2, begin: kill, end: start, says: hostIn },
  empty: {
    places: eachServer,
    isLoss: true,
    rounds: 1,
    begin: onServers(async (server) => {
      await server.kill();
      rmSync(join(server.folder, 'data'), { recursive: true });
      await server.start();
    }),
    end: fill,
    says: hostIn,
  },
  restored: {
    // Without the primary nobody notes marks, so nobody could know a copy of meanwhile as an older one.
    places: (world) => (world.own.state().isUp ? eachServer(world) : []),
    isLoss: true,
    rounds: 1,
    begin: onServers(async (server, { copies }) => {
      await until('the copy is older', () => copies.isOlder(server), 2 * NOTED_MS);
      await server.kill();
      copies.putBack(server);
      await server.start();
    }),
    end: fill,
    says: hostIn,
  },
  disk: {
    places: ({ disk }) => (disk === undefined ? [] : [['c0']]),
    rounds: 1,
    begin: async (world) => fillDisk(world),
    end: async (world) => rmSync(fillerOf(world)),
    says: () => /c0.*(full|room|disk)/,
  },
  minute: skewed(MINUTE_MS),
  day: skewed(DAY_MS),
  killed: {
    places: eachCollector,
    rounds: 1,
    begin: onCollector((own, i) => own.stopCollector(i, 'SIGKILL')),
    end: onCollector((own, i) => own.startCollector(i)),
    says: nameIn,
  },
  retired: {
    places: eachRetiring,
    rounds: 1,
    begin: onCollector(async (own, i, world) => {
      await isHeard(world, i);
      await own.replaceCollector(i);
    }),
    end: async () => {},
  },
  primary: {
    places: () => [['p0']],
    rounds: 1,
    begin: ({ own }) => own.stopPrimary('SIGKILL'),
    end: ({ own }) => own.startPrimary(),
  },
};
