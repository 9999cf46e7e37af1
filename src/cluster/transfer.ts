// A transfer moves everything from one engine to another. This file writes into a cluster, and transfer-read.ts reads
// from a cluster.
//
// Invariant: a moved day gives the same answers as before, or the transfer fails. The totals and the rows of every
// breakdown are compared.
//
// Example: `daybook move` moves 100 sealed days with 2,000,000 visits. Each visit becomes a line of JSON. Parcels of 8
// MB carry the lines to all replicas of a shard. Then ClickHouse counts the visits by page, by country and so on. The
// counts are compared with the SQLite file. engine.ts calls makeTransfer for `daybook move` (src/cli/move-way.ts).
import type { Visit } from '../engine/activity.ts';
import { type DaySums, packScroll } from '../engine/import-content.ts';
import type { Transfer, TransferContent } from '../engine/transfer.ts';
import { tryEach } from '../lib/try-each.ts';
import { noTotals, TOTALS } from '../stats/aggregates.ts';
import { type Breakdown, HIT_TEXT_FIELDS, hasStoredHits, REVENUE, TEXT_FIELDS } from '../stats/dimensions.ts';
import type { Db } from '../store/db.ts';
import { REDUCED_MARK } from './query/aggregate.ts';
import type { Nodes } from './servers/nodes.ts';
import { SENDERS } from './servers/row-numbers.ts';
import { readCrawls, readDrops, readOpenActivities, readReduced, readSealedVisits, readSums } from './transfer-read.ts';
import { removeSlices, selectRollups, sumSlices } from './upkeep/seal.ts';
import { listSumRows } from './upkeep/sum-rows.ts';

/** A parcel is one request with rows. A parcel is sent when it has this many characters. */
const PARCEL = 8_000_000;

type Deps = { db: Db; nodes: Nodes; name: string };

/**
 * Builds the functions with which `daybook move` reads from a cluster and writes into it. Each insert has a token that
 * begins with `name`. ClickHouse ignores a second insert with an equal token, so a retry stores nothing twice.
 */
export function makeTransfer(deps: Deps): Transfer {
  const { nodes, name } = deps;
  // Empties tables. Throws if a server could not be emptied. After a later move to this cluster, the rows that stayed
  // would count again.
  const emptyTables = (tables: readonly string[]) =>
    tryEach(tables, async (table) => {
      // Every server is emptied, even one that is not in use, for example because it has an older disk.
      await Promise.all(nodes.all.map((node) => nodes.run(node, `TRUNCATE TABLE IF EXISTS ${table}`)));
    });
  let taken = 0;
  let portion = 0;
  return {
    readVisits: (day) => readSealedVisits(nodes, day),
    readSums: (day) => readSums(nodes, day),
    readReduced: (day) => readReduced(deps, day),
    readActivities: () => readOpenActivities(deps),
    readCrawls: () => readCrawls(deps),
    readDrops: () => readDrops(deps),
    takeDays: (days) => takeDays(deps, days),
    async takeActivities(activities) {
      const rows = buildParcels(nodes, 'activity', `${name}-${portion++}`);
      for (const { siteId, importId, ...activity } of activities) {
        const { day, second, visitor } = activity;
        // Moved rows get the lowest row numbers: 64, 128 and so on. New hits get higher numbers, made from the time.
        // Sealing a day reads all its rows up to a row number, so it reads the moved rows too.
        const key = { site: siteId, day, import: importId, second, seq: ++taken * SENDERS, visitor };
        const own =
          'engaged' in activity
            ? {
                ...{ page: activity.page, engaged: activity.engaged + 1 },
                ...{ scroll: packScroll(activity.scroll), vitals: activity.vitals ?? 0 },
              }
            : Object.fromEntries(TEXT_FIELDS.map((field) => [field, activity[field as keyof typeof activity]]));
        await rows.add(visitor % nodes.shards, { ...key, ...own });
      }
      await rows.end();
    },
    async takeCrawls(crawls) {
      const rows = buildParcels(nodes, 'crawled', `${name}-${portion++}`);
      for (const { siteId, ...crawl } of crawls) await rows.add(siteId % nodes.shards, { site: siteId, ...crawl });
      await rows.end();
    },
    async takeDrops(drops) {
      const rows = buildParcels(nodes, 'dropped', `${name}-${portion++}`);
      for (const { siteId, ...drop } of drops) await rows.add(siteId % nodes.shards, { site: siteId, ...drop });
      await rows.end();
    },
    countOpenHits: async () =>
      sumCounts(await nodes.ask<{ n: number }>('SELECT count() AS n FROM activity WHERE engaged = 0')),
    async isEmpty() {
      // All replicas are asked, not only one of each shard. An earlier move may have emptied the cluster while a
      // replica did not respond. That replica may still have old rows.
      const sql = ['activity', 'visit', 'tally']
        .map((table) => `SELECT count() AS n FROM ${table}`)
        .join(' UNION ALL ');
      const found = await nodes.onEach((node) => nodes.askOne<{ n: number }>(node, sql), { isPatient: true });
      return found.every(({ result }) => sumCounts(result) === 0);
    },
    async deleteDays(ids) {
      if (ids.length === 0) return;
      for (const table of ['visit', 'tally'] as const) {
        const sql = `SELECT DISTINCT site AS siteId, slice AS id FROM ${table} WHERE slice IN (${ids.join(', ')})`;
        // All replicas are asked, because an interrupted move may have stored a day on only one of them.
        const found = await nodes.onEach((node) => nodes.askOne<{ siteId: number; id: number }>(node, sql));
        const slices = found.flatMap(({ result }) => result);
        if (slices.length > 0) await removeSlices(nodes, slices, table);
      }
    },
    deleteRest: () => emptyTables(['activity', 'crawled', 'dropped']),
    deleteAll: () => emptyTables(['activity', 'brought', 'visit', 'tally', 'crawled', 'dropped', 'mark']),
  };
}

/**
 * Collects rows of a table by shard. Sends them to all replicas in parcels of 8 MB. Each parcel has a token. ClickHouse
 * ignores a second insert with an equal token.
 */
function buildParcels(nodes: Nodes, table: string, name: string) {
  const waiting = Array.from({ length: nodes.shards }, () => ({ lines: [] as string[], size: 0 }));
  let sent = 0;

  async function send(shard: number): Promise<void> {
    const { lines } = waiting[shard] ?? { lines: [] };
    waiting[shard] = { lines: [], size: 0 };
    if (lines.length === 0) return;
    const token = `${name}-${table}-${sent++}`;
    const own = nodes.all.filter((node) => node.shard === shard);
    await Promise.all(own.map((node) => nodes.insert(node, table, lines.join('\n'), token)));
  }

  return {
    async add(shard: number, row: object): Promise<void> {
      const own = waiting[shard];
      if (!own) throw new RangeError(`there is no shard ${shard}`);
      const line = JSON.stringify(row);
      own.lines.push(line);
      own.size += line.length;
      if (own.size >= PARCEL) await send(shard);
    },
    async end(): Promise<void> {
      for (const shard of waiting.keys()) await send(shard);
    },
  };
}

/** Makes a row of the table `visit`. The lists that begin with `h_` have one entry for each hit. */
function writeVisit({ hits, visitor, seconds, excluded: _, ...texts }: Visit) {
  const pageviews = hits.filter(({ event }) => event === '').length;
  return {
    ...texts,
    visitor,
    start: hits[0]?.second ?? 0,
    seconds,
    pageviews,
    events: hits.length - pageviews,
    entry: hits[0]?.page ?? '',
    exit: hits.at(-1)?.page ?? '',
    h_second: hits.map(({ second }) => second),
    ...Object.fromEntries(HIT_TEXT_FIELDS.map((name) => [`h_${name}`, hits.map((hit) => hit[name])])),
    h_seen: hits.map(({ engaged }) => engaged),
    h_scroll: hits.map(({ scroll }) => packScroll(scroll)),
    h_vitals: hits.map(({ vitals }) => vitals),
  };
}

/**
 * Writes the sums of a day as a sorted list of texts, for comparing them before and after a move. Hits are compared for
 * pages, host names, events, properties and revenue, because both engines count hits only for these breakdowns.
 */
const listComparable = ({ counts }: DaySums): string[] =>
  [...counts]
    .flatMap(([dimension, rows]) => {
      const isOfHits = dimension === REVENUE || hasStoredHits(dimension as Breakdown);
      return rows.map(({ event, value, visitors, hits }) =>
        JSON.stringify([dimension, event, value, visitors, isOfHits ? hits : 0]),
      );
    })
    .sort();

/** Counts moved days again. Throws if a total or a sum has changed. */
async function assertSame(nodes: Nodes, days: readonly TransferContent[]): Promise<void> {
  const totals = await sumSlices(
    nodes,
    days.filter(({ hasHits }) => hasHits),
  );
  for (const day of days) {
    const counted = day.hasHits ? (totals.get(day.id) ?? noTotals()) : day.totals;
    for (const name of TOTALS)
      if (counted[name] !== day.totals[name])
        throw new Error(`sealed day ${day.id}: ${day.totals[name]} ${name} became ${counted[name]}`);
    assertEqual(day, await day.readSums(), await readSums(nodes, day));
    const reduced = await day.readReduced();
    if (reduced) assertEqual(day, reduced, await readSums(nodes, day, { isReduced: true }));
  }
}

function assertEqual({ id }: TransferContent, ...sums: [before: DaySums, after: DaySums]): void {
  const [before, after] = sums.map(listComparable) as [string[], string[]];
  const different = before.findIndex((row, i) => row !== after[i]);
  if (different >= 0 || before.length !== after.length)
    throw new Error(
      `sealed day ${id}: ${before[different] ?? 'nothing'} became ${after[different] ?? after[before.length] ?? 'nothing'}`,
    );
}

/** Stores sealed days: their visits or, for totals-only days, only sums. Then compares all sums. */
async function takeDays({ nodes, name }: Deps, days: readonly TransferContent[]): Promise<void> {
  const first = days[0]?.id ?? 0;
  const visits = buildParcels(nodes, 'visit', `${name}-${first}`);
  const tallies = buildParcels(nodes, 'tally', `${name}-${first}`);
  for (const day of days) {
    const key = { site: day.siteId, day: day.day, slice: day.id };
    if (day.hasHits)
      for await (const visit of day.readVisits())
        await visits.add(visit.visitor % nodes.shards, { ...key, ...writeVisit(visit) });
    else {
      const reduced = await day.readReduced();
      const rows = [
        ...listSumRows(day, (await day.readSums()).counts),
        ...(reduced ? listSumRows(day, reduced.counts, REDUCED_MARK) : []),
      ];
      for (const row of rows) await tallies.add(day.siteId % nodes.shards, row);
    }
  }
  await visits.end();
  await tallies.end();
  const withHits = days.filter(({ hasHits }) => hasHits);
  if (withHits.length > 0)
    await Promise.all(nodes.all.map((node) => nodes.run(node, `INSERT INTO tally ${selectRollups(withHits)}`)));
  await assertSame(nodes, days);
}

const sumCounts = (rows: readonly { n: number }[]): number => rows.reduce((sum, { n }) => sum + n, 0);
