// Makes the tables of one ClickHouse server equal to the tables of another server, the source. Each table is divided
// into portions, such as days. Portions are compared by a hash, and a portion that differs is copied.
//
// Invariant: for each sender, the copy ends at a row number (`CopyEnds`). After the copy, both servers have equal rows
// of this sender below this number. The sender sends its later rows to both servers. The copy writes rows to one server
// while it reads them from the source, so little memory is needed.
//
// Example: a server has 400 days, and did not respond for one night. A portion is a day in the table `activity`, a
// slice of a sealed day in `visit` and `tally`, and a year in `crawled` and `dropped` (servers/tables.ts). In each
// table, only the portion of that night differs, and is copied. To an empty server, all portions are copied. fill.ts
// uses this file.
import { type Coded, coded } from '../../lang/coded.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { SENDERS } from '../servers/row-numbers.ts';

type Deps = {
  nodes: Nodes;
  from: Node;
  to: Node;
  report(step: Coded): void;
};

type Portion = { key: number; rows: number; hash: string };

/**
 * The tables that get new rows all the time. Two servers are compared portion by portion, for example day by day. `key`
 * is SQL for the key of a row's portion, and `hash` is SQL for a hash of the row. `rows` is SQL for the rows that are
 * compared.
 */
const ARRIVING = [
  { table: 'activity', key: 'day', hash: 'cityHash64(*)', rows: 'activity' },
  ...(
    [
      ['crawled', 'site, day, crawler, page', 'requests'],
      ['dropped', 'site, day, reason, block', 'hits'],
    ] as const
  ).map(([table, names, count]) => ({
    table,
    key: 'intDiv(day, 365)',
    hash: `cityHash64(${names}, n)`,
    // ClickHouse adds up rows with equal keys in the background, and each server does so at another time. If this
    // statement did not add them up, two servers with equal counts would seem to differ.
    rows: `(SELECT ${names}, seq, sum(${count}) AS n FROM ${table} GROUP BY ${names}, seq)`,
  })),
] as const;

/**
 * Where the copy ends for each sender. Rows with this number or a higher one are still arriving. `others` is for
 * senders that are not in the map, such as a collector that starts meanwhile.
 */
export type CopyEnds = { bySender: ReadonlyMap<number, number>; others: number };

/**
 * Compares tables portion by portion (such as a day), and copies portions that differ from the source. Rows that are
 * still arriving (see `CopyEnds`) are not copied. Imported rows are copied whatever their numbers are. Throws if a
 * copied table still differs. Gives how many portions were copied.
 */
export async function copyArriving({ nodes, from, to, report }: Deps, { bySender, others }: CopyEnds): Promise<number> {
  const end = `transform(seq % ${SENDERS}, [${[...bySender.keys()].join()}], [${[...bySender.values()].join()}], ${others})`;
  let copied = 0;
  for (const { table, key, hash, rows } of ARRIVING) {
    const isSettled = table === 'activity' ? `(import <> 0 OR seq < ${end})` : `seq < ${end}`;
    const sql = `SELECT ${key} AS key, count() AS rows, toString(sum(${hash})) AS hash FROM ${rows} WHERE ${isSettled} GROUP BY key`;
    const look = () => Promise.all([from, to].map((node) => nodes.askOne<Portion>(node, sql)));
    const [there = [], here = []] = await look();
    for (const portion of findDiffering(there, here)) {
      report(coded('fill_copies', { table }));
      const own = `${key} = ${portion} AND ${isSettled}`;
      const partition = `IN PARTITION ${portion}`;
      if (here.some((one) => one.key === portion))
        await nodes.run(to, `ALTER TABLE ${table} DELETE ${partition} WHERE ${isSettled}`, {}, { mutations_sync: '1' });
      await nodes.copy(from, `SELECT * FROM ${table} WHERE ${own}`, to, table);
      copied++;
    }
    const [first = [], second = []] = await look();
    if (copied > 0 && findDiffering(first, second).length > 0) throw new Error(`${table} was copied, and differs`);
  }
  return copied;
}

const DAYS_AT_ONCE = 30;
const SLICES_AT_ONCE = 2_000;

/**
 * Compares sealed days on two servers, and copies slices that differ from the source. A slice never changes. So with
 * `isCounted` only the rows of each slice are counted, which is faster. Without `isCounted` the content is compared
 * too, which finds damage. Throws if a copied slice still differs. Gives the number of copied slices.
 */
export async function copySealed(
  { nodes, from, to, report }: Deps,
  { isCounted = false }: { isCounted?: boolean } = {},
): Promise<number> {
  let copied = 0;
  for (const table of ['visit', 'tally'] as const) {
    const ends = `SELECT min(day) AS first, max(day) AS last, count() AS rows FROM ${table}`;
    const found = await Promise.all(
      [from, to].map((node) => nodes.askOne<{ first: number; last: number; rows: number }>(node, ends)),
    );
    const spans = found.flat().filter(({ rows }) => rows > 0);
    const last = Math.max(...spans.map((one) => one.last));
    for (let day = Math.min(...spans.map((one) => one.first)); day <= last; day += DAYS_AT_ONCE) {
      report(coded('fill_compares_days', { table, days: last - day }));
      const within = `day >= ${day} AND day < ${day + DAYS_AT_ONCE}`;
      const hash = isCounted ? "''" : 'toString(sum(cityHash64(*)))';
      const sql = `SELECT slice AS key, count() AS rows, ${hash} AS hash FROM ${table} WHERE ${within} GROUP BY slice`;
      const look = () => Promise.all([from, to].map((node) => nodes.askOne<Portion>(node, sql)));
      const [there = [], here = []] = await look();
      const slices = findDiffering(there, here);
      const present = new Set(here.map(({ key }) => key));
      for (let i = 0; i < slices.length; i += SLICES_AT_ONCE) {
        const some = slices.slice(i, i + SLICES_AT_ONCE);
        const own = `${within} AND slice IN (${some.join()})`;
        if (some.some((slice) => present.has(slice)))
          await nodes.run(to, `DELETE FROM ${table} WHERE ${own}`, {}, { lightweight_deletes_sync: '2' });
        report(coded('fill_copies_days', { table, days: last - day }));
        await nodes.copy(from, `SELECT * FROM ${table} WHERE ${own}`, to, table);
      }
      copied += slices.length;
      if (slices.length === 0) continue;
      const [first = [], second = []] = await look();
      if (findDiffering(first, second).length > 0) throw new Error(`${table} was copied, and differs`);
    }
  }
  return copied;
}

/** Gives the keys of portions, such as days, that differ on two servers or that only one of them has. */
function findDiffering(one: readonly Portion[], other: readonly Portion[]): number[] {
  const text = (all: readonly Portion[]) => new Map(all.map(({ key, rows, hash }) => [key, `${rows} ${hash}`]));
  const [first, second] = [text(one), text(other)];
  return [...new Set([...first.keys(), ...second.keys()])].filter((key) => first.get(key) !== second.get(key));
}
