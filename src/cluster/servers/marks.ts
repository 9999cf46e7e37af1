// A mark is a row on a ClickHouse server. The mark names the installation of daybook, and the place of the server (its
// shard and replica). It also has the ids of the newest site and sealed day, and a number that grows (the beat). Each
// minute the primary raises the beat in the database file, and writes the new beat to every complete server. Then the
// primary notes which servers have the new beat. The mark also says which collectors are retired (`retired`, one bit for
// each number). So a retired collector that cannot reach the primary learns it from a server, and sends nothing more.
//
// Invariant: the beat on a server is never above the beat of the newest database file. While a server keeps its disk,
// its beat is never below the beat that the file notes for that server. The host name of a server may come to lead to
// another server, for example after a change in DNS. That other server has the mark of another place, or no mark. So
// nothing is written there.
//
// Example: the database file notes beat 70 for a server. With a disk from yesterday the server has beat 40, so it lacks
// the rows of a day. With a new disk it has no mark. If the server has beat 90, the database file is old. admission.ts,
// keeper.ts and fill/fill.ts use this file.
import { findLastDayId } from '../../catalog/day-ids.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import { listKnownServers, noteBeat } from '../../store/cluster/cluster-servers.ts';
import { listRetiredNumbers } from '../../store/cluster/collectors.ts';
import { findInstallation, nameInstallation, raiseBeat } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { findLastSiteId } from '../../store/sites/sites.ts';
import type { Node, Nodes } from './nodes.ts';
import { namePlace, WrongPlace } from './places.ts';
import { PRIMARY } from './row-numbers.ts';
import { parseRows, type Send } from './send.ts';

/**
 * `shards` is the number of shards of the cluster. A database file that knows fewer is an old backup. `retired` lists
 * the numbers of retired collectors.
 */
type ServerMark = {
  installation: string;
  beat: number;
  site: number;
  day: number;
  shards: number;
  place: string;
  retired: number[];
};

/** The highest ids that rows on a server have. `day` is the id of a sealed day. */
type NewestIds = { site: number; day: number; importId: number };

/**
 * What a server has: its marks, and the highest ids of its rows. `isEmpty` is true if the server has no rows of any
 * site. A server with a mark of another installation must not be used.
 */
export type Holding = NewestIds & { marks: ServerMark[]; isEmpty: boolean };

/** What a server without daybook's tables has. */
export const NOTHING_HELD: Holding = { marks: [], site: 0, day: 0, importId: 0, isEmpty: true };

const NEWEST_SITE = ['activity', 'visit', 'tally', 'crawled', 'dropped']
  .map((table) => `(SELECT max(site) FROM ${table})`)
  .join(', ');
const NEWEST_DAY = ['visit', 'tally'].map((table) => `(SELECT max(slice) FROM ${table})`).join(', ');
export const NEWEST_IMPORT = `greatest(${['activity', 'brought'].map((table) => `(SELECT max(import) FROM ${table})`).join(', ')})`;

type Deps = { db: Db; nodes: Nodes };

/**
 * Writes a mark with a new, higher beat to servers. The database file notes a beat for each server. If the mark of a
 * server has a lower beat, the server gets no new mark. A new mark would hide that its disk is old and lacks rows
 * (test/cluster/servers/ownership.test.ts). Gives the new beat. A server that fails keeps its lower beat.
 */
export async function raiseMarks({ db, nodes }: Deps, on: readonly Node[]): Promise<number> {
  // If the file is restored later, the numbers of retired collectors must be those of this beat (restored-collectors.ts).
  const { beat, retired } = db.write(() => {
    nameInstallation(db);
    return { beat: raiseBeat(db), retired: writeRetired(db) };
  });
  const { name = '' } = findInstallation(db) ?? {};
  const noted = new Map(listKnownServers(db).map((server) => [server.url, server.beat]));
  await Promise.allSettled(
    on.map(async (node) => {
      const newest = `SELECT max(beat) AS beat, argMax(m.place, m.beat) AS place FROM mark AS m WHERE installation = '${name}'`;
      const isOwn = `(beat = 0 OR place = '${namePlace(node)}')`;
      await nodes.run(
        node,
        `INSERT INTO mark (installation, beat, site, day, shards, place, retired)
          SELECT '${name}', ${beat}, ${findLastSiteId(db)}, ${findLastDayId(db)}, ${nodes.shards}, '${namePlace(node)}',
            ${retired}
          FROM (${newest}) WHERE ${isOwn} AND beat >= ${noted.get(node.url) ?? 0}`,
      );
      if ((await readBeat({ db, nodes }, node)) >= beat) db.write(() => noteBeat(db, node.url, beat));
    }),
  );
  return beat;
}

/** Writes the numbers of retired collectors as SQL: a number in which bit 5 is set if collector 5 is retired. */
const writeRetired = (db: Db): string =>
  `toUInt64(${listRetiredNumbers(db).reduce((bits, number) => bits | (1n << BigInt(number)), 0n)})`;

/**
 * The number of rows in a test insert. These rows need 34 MB in memory, and a parcel of hits needs less. Before an
 * insert, ClickHouse checks that the disk has as much free space as the rows need. So a server that stores these rows
 * can store any parcel.
 */
const TRIED_ROWS = 600_000;

/**
 * Tests whether a server can store a parcel of hits. Throws if it cannot, for example because its disk is full. For the
 * test, marks with the beat 0 are inserted. On a server with a mark they change nothing, because only the mark with the
 * highest beat counts. A server that is being filled has no mark. There they tell retired collectors to send nothing.
 */
export async function tryWriting({ db, nodes }: Deps, node: Node): Promise<void> {
  const { name } = findInstallation(db) ?? {};
  const values = `SELECT '${name}', 0, 0, 0, ${writeRetired(db)} FROM numbers(${TRIED_ROWS})`;
  const sql = `INSERT INTO TABLE mark (installation, beat, site, day, retired) ${values}`;
  // The inserted rows are all equal. Unless `optimize_on_insert` is 0, ClickHouse reduces them to one row before it
  // checks the free space.
  const settings = { optimize_on_insert: '0', max_block_size: String(TRIED_ROWS) };
  if (name !== undefined) await nodes.run(node, sql, {}, settings);
}

/**
 * Throws if another primary started later with a copy of this database file. Then a mark has a higher beat than this
 * file. Both primaries would seal the same days, so hits would count twice.
 */
export async function assertOnlyPrimary({ db, nodes }: Deps): Promise<void> {
  const asked = nodes.listComplete().filter((node) => !nodes.isAway(node));
  const found = await Promise.allSettled(asked.map((node) => readBeat({ db, nodes }, node)));
  const { beat = 0 } = findInstallation(db) ?? {};
  if (found.some((one) => one.status === 'fulfilled' && one.value > beat))
    throw new Refusal(
      'another daybook server started later with a copy of this daybook.db, and uses the cluster. Stop one of the two',
      UNUSABLE,
    );
}

/**
 * Reads the marks of a server, and the highest ids of sites, sealed days and imports in its rows. The tables of daybook
 * must exist there.
 */
export async function readHolding(send: Send, url: string): Promise<Holding> {
  const marks = parseRows<ServerMark>(
    await send(
      url,
      `SELECT m.installation AS installation, max(m.beat) AS beat, max(m.site) AS site, max(m.day) AS day,
         argMax(m.shards, m.beat) AS shards, argMax(m.place, m.beat) AS place,
         bitPositionsToArray(argMax(m.retired, m.beat)) AS retired
       FROM mark AS m GROUP BY m.installation FORMAT JSONEachRow`,
    ),
  );
  const newest = `SELECT greatest(${NEWEST_SITE}) AS site, greatest(${NEWEST_DAY}) AS day, ${NEWEST_IMPORT} AS importId FORMAT JSONEachRow`;
  const [ids = NOTHING_HELD] = parseRows<NewestIds>(await send(url, newest));
  return { ...ids, marks, isEmpty: ids.site === 0 };
}

/** The newest mark of a server. `isRetired` is true if the mark lists the asking collector as retired. */
type NewestMark = { beat: number; isRetired: boolean };

/**
 * Throws if the newest mark of a server names another place. Then the name of the server leads to another server. Gives
 * beat 0 if the server has no mark: it is new or being filled, or its disk is empty. With `installation`, marks of
 * other installations do not count. `sender` is the number of the collector that asks.
 */
export async function readNewestMark(
  nodes: Pick<Nodes, 'askOne'>,
  node: Node,
  { installation, sender = PRIMARY }: { installation?: string | undefined; sender?: number },
): Promise<NewestMark> {
  const isOwn = installation === undefined ? '' : ` WHERE installation = '${installation}'`;
  const [found] = await nodes
    .askOne<{ place: string; newest: number; isRetired: 0 | 1 }>(
      node,
      `SELECT max(m.beat) AS newest, argMax(m.place, m.beat) AS place,
         argMax(bitTest(m.retired, ${sender}), m.beat) AS isRetired
       FROM mark AS m${isOwn}`,
    )
    .catch((error: Error) => {
      if (/UNKNOWN_(DATABASE|TABLE)/.test(error.message)) return [];
      throw error;
    });
  const { place = '', newest: beat = 0, isRetired = 0 } = found ?? {};
  if (beat > 0 && place !== namePlace(node)) throw new WrongPlace(node, place);
  return { beat, isRetired: isRetired === 1 };
}

/** Throws if a server has the mark of another place. Gives the beat of its newest mark, as `readNewestMark` does. */
export const assertPlace = async (
  nodes: Pick<Nodes, 'askOne'>,
  node: Node,
  installation?: string | undefined,
): Promise<number> => (await readNewestMark(nodes, node, { installation })).beat;

/**
 * Reads the beat of the mark that this installation wrote for the place of a server. Gives 0 if the mark, its table or
 * the database is missing, for example on a new disk.
 */
export async function readBeat({ db, nodes }: Deps, node: Node): Promise<number> {
  const name = findInstallation(db)?.name ?? '';
  const [found] = await nodes
    .askOne<{ n: number }>(
      node,
      "SELECT count() AS n FROM system.tables WHERE database = currentDatabase() AND name = 'mark'",
    )
    .catch((error: Error) => {
      if (error.message.includes('UNKNOWN_DATABASE')) return [];
      throw error;
    });
  if (found?.n !== 1) return 0;
  const [mark] = await nodes.askOne<{ beat: number }>(
    node,
    `SELECT max(beat) AS beat FROM mark WHERE installation = '${name}' AND place = '${namePlace(node)}'`,
  );
  return mark?.beat ?? 0;
}
