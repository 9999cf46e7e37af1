// Imports the content of a file into the cluster. Past days are sealed at once. Rows of the current day are written
// into `activity`, the table that has the collected hits too. No answer counts an imported row before the import is
// shown.
//
// Invariant: one transaction shows the whole import or nothing. An import fails if missing rows are copied to a server
// at the same time. That copy (a fill) would not contain all rows of the import.
//
// Example: a CSV file has 250 past days and the current day. The rows of 100 days are written to the table `brought`
// and sealed from there. Then the next 100 days follow, and the last 50. Rows of the current day are written to
// `activity`. Then the import is shown, and its rows in `brought` are deleted. engine.ts calls `importContent`.
import { addStaged, listGone, setTotals } from '../../catalog/day-states.ts';
import { abandonImport } from '../../catalog/imported.ts';
import { addImport } from '../../catalog/imports.ts';
import { isSealed } from '../../catalog/sealed-days.ts';
import { refuseOvertaken, showImport } from '../../catalog/show-import.ts';
import type { DaySums, ImportContent, ImportedRows, ImportOptions } from '../../engine/import-content.ts';
import { Refusal } from '../../lib/errors.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { findZone, UTC } from '../../lib/zone.ts';
import { PROPERTIES, TEXT_FIELDS, type TextField } from '../../stats/dimensions.ts';
import { listServers } from '../../store/cluster/cluster-servers.ts';
import { listDivisions } from '../../store/cluster/divisions.ts';
import type { Db } from '../../store/db.ts';
import { listOpenDays, listTaken } from '../query/days.ts';
import type { Nodes } from '../servers/nodes.ts';
import { findLowestNumber, numberImported } from '../servers/row-numbers.ts';
import { buildFindDecided } from '../servers/shards.ts';
import { dropBrought } from './import-rows.ts';
import { stageSlices } from './seal.ts';
import { listSumRows } from './sum-rows.ts';

export type Deps = {
  db: Db;
  nodes: Nodes;
  clock: Clock;
  /**
   * The name of this process. Each insert has a token that begins with this name. ClickHouse ignores a second insert
   * with an equal token, so no rows are stored twice.
   */
  name: string;
  /** Gives a row number that is higher than all row numbers so far. */
  takeNumber(): number;
};

/** Imports the whole content or, after an error, nothing. Gives the id of the import. */
export async function importContent(
  deps: Deps,
  siteId: number,
  content: ImportContent,
  { replace, written = () => {} }: ImportOptions,
): Promise<number> {
  const { db, clock } = deps;
  const { today, timeZone = UTC, days, texts, properties, readRows: rowsOf } = content;
  const { importId, latestFill } = db.write(() => ({
    latestFill: assertNotFilling(db),
    importId: addImport(db, siteId, { now: seconds(clock), today, timeZone }),
  }));
  const key = { siteId, importId, latestFill, start: findStart(deps, siteId, { today, timeZone }) };
  try {
    const past = days.filter((day) => day < today);
    const staged = await stage(deps, key, past, content, written);
    const isOpen = rowsOf !== undefined && days.includes(today);
    if (isOpen) {
      const rows = rowsOf(today);
      assertAboveSealed(db, key, { day: today, count: rows.count });
      await sendRows(deps, 'activity', key, { day: today, rows, texts, properties });
    }
    if (!replace && past.length > 0 && (await listTaken(deps, siteId, past)).length > 0) throw refuseOvertaken();
    const open =
      replace && past.length > 0
        ? await listOpenDays(deps, siteId, { from: Math.min(...past), to: Math.max(...past) + 1 })
        : [];
    show(deps, key, { staged, openDay: isOpen ? today : null, replace, open });
  } catch (error) {
    abandonImport(db, siteId, importId);
    throw error;
  } finally {
    // If a server does not respond, the nightly work deletes the rows in `brought` later.
    if (rowsOf) await dropBrought(deps.nodes, [importId]).catch(() => {});
  }
  return importId;
}

/**
 * Gives the row number for the earlier of two times: the start of the import, and the end of `today`. `today` is the
 * day that was open when the import file was read. The import may start after the midnight that ended `today`. Sealing
 * `today` reads only rows up to a number that was made shortly after that midnight. Later numbers would be left out.
 */
function findStart(
  { db, takeNumber }: Deps,
  siteId: number,
  { today, timeZone }: { today: number; timeZone: string },
): number {
  // An exception: `today` was sealed before this import, but had only heartbeats, so no visits were made. Now imported
  // rows count only if their numbers are above the numbers of the sealed rows. So the present row number is used.
  if (listGone(db, siteId, today, today + 1).length > 0) return takeNumber();
  return Math.min(takeNumber(), findLowestNumber(findZone(timeZone).findStart(today + 1) * 1000));
}

/**
 * Refuses an import if its rows of the open day would not count, because the day is already sealed up to a higher row
 * number. When the file is read again, this day is a past day, and all of its rows count.
 */
function assertAboveSealed(
  db: Db,
  { siteId, start }: Pick<ImportRun, 'siteId' | 'start'>,
  { day, count }: { day: number; count: number },
): void {
  const lowest = numberImported(start, 0, count);
  if (listGone(db, siteId, day, day + 1).some(({ after }) => after >= lowest))
    throw new Refusal('a day of the file was sealed just now. Nothing was imported. Import the file again');
}

const ROWS_PER_PARCEL = 50_000;

/**
 * An import that is running. `latestFill` is the number of the last copy of missing rows to a server (a fill). If this
 * number grows, a server may lack rows of the import, and the import fails. `start` is a row number from the start of
 * the import or earlier (`findStart`).
 */
type ImportRun = { siteId: number; importId: number; latestFill: number; start: number };

type RowsOfDay = { rows: ImportedRows } & Pick<ImportContent, 'texts' | 'properties'>;

/**
 * Writes the rows of an imported day as lines of JSON, at most 50,000 at a time, sorted by time. The lines are divided
 * by shard, because each shard gets an insert of its own.
 */
function* writeLines(
  { siteId, importId, start }: ImportRun,
  day: number,
  { rows, texts, properties = [] }: RowsOfDay,
  shards: number,
) {
  const order = Array.from({ length: rows.count }, (_, i) => i).sort(
    (one, other) => (rows.second[one] as number) - (rows.second[other] as number) || one - other,
  );
  for (let from = 0; from < order.length; from += ROWS_PER_PARCEL) {
    const some = order.slice(from, from + ROWS_PER_PARCEL);
    const byShard = new Map<number, string[]>();
    for (const [i, row] of some.entries()) {
      const visitor = rows.visitor[row] as number;
      const engaged = (rows.engaged[row] as number) + 1;
      const readText = (field: TextField, index: number) => (field === PROPERTIES ? properties : texts)[index] ?? '';
      const words = TEXT_FIELDS.map((field) => [field, readText(field, rows.terms[field][row] as number)]);
      const line = {
        site: siteId,
        day,
        import: importId,
        second: rows.second[row],
        seq: numberImported(start, from + i, order.length),
        visitor,
        engaged,
        scroll: rows.scroll[row],
        vitals: rows.vitals[row] as number,
      };
      const shard = visitor % shards;
      const lines = byShard.get(shard) ?? [];
      byShard.set(shard, lines);
      lines.push(JSON.stringify({ ...line, ...Object.fromEntries(words) }));
    }
    yield { from, byShard };
  }
}

/** Gives the number of shards among which the visitors of an imported day are divided. */
const findShards = ({ db, nodes }: Deps, day: number): number => buildFindDecided(listDivisions(db), nodes.shards)(day);

/** The table for imported rows: `activity` for the current day, `brought` for past days until they are sealed. */
type RowTable = 'activity' | 'brought';

async function sendRows(
  deps: Deps,
  table: RowTable,
  key: ImportRun,
  { day, ...own }: RowsOfDay & { day: number },
): Promise<void> {
  for (const { from, byShard } of writeLines(key, day, own, findShards(deps, day))) {
    const token = `${deps.name}-import-${key.importId}-${day}-${from}`;
    await deps.nodes.onEach(async (node) => {
      const lines = byShard.get(node.shard);
      if (lines) await deps.nodes.insert(node, table, lines.join('\n'), token);
    });
  }
}

/**
 * Stores the totals and rollups of an imported day without hits. All sums of the day are on one shard, because they
 * cannot be divided by visitor.
 */
async function stageSums(deps: Deps, { siteId, importId }: ImportRun, { day, totals, counts, unknown }: DaySums) {
  const { db, nodes, clock } = deps;
  const id = db.write(() =>
    addStaged(db, { siteId, day, slice: 0, importId, hasHits: false, totals, unknown, now: seconds(clock) }),
  );
  db.write(() => setTotals(db, id, totals, deps.takeNumber()));
  const lines = listSumRows({ siteId, day, id }, counts).map((row) => JSON.stringify(row));
  await nodes.onEach(async (node) => {
    if (node.shard === siteId % findShards(deps, day))
      await nodes.insert(node, 'tally', lines.join('\n'), `${deps.name}-sums-${id}`);
  });
}

/** Up to 100 days, or days with 200,000 rows in all, are sealed together. One statement for each day would be slow. */
const DAYS_AT_ONCE = 100;
const ROWS_AT_ONCE = 200_000;

/** Seals imported past days from the table `brought`. Gives how many days have visits. */
async function stageDays(
  deps: Deps,
  { siteId, importId, latestFill }: ImportRun,
  days: readonly number[],
): Promise<number> {
  if (days.length === 0) return 0;
  assertNotFilled(deps.db, latestFill);
  const rows = `SELECT * FROM brought WHERE import = ${importId} AND day IN (${days.join()})`;
  const sealing = { importId, after: deps.takeNumber(), now: seconds(deps.clock) };
  const siteDays = days.map((day) => ({ siteId, day }));
  return (await stageSlices(deps, rows, siteDays, sealing)).length;
}

/** Stores the past days of an import, without showing them. Gives how many days have data. */
async function stage(deps: Deps, key: ImportRun, days: readonly number[], content: ImportContent, written: () => void) {
  const { readRows: rowsOf, readSums: sumsOf, texts, properties } = content;
  let staged = 0;
  let [sent, count]: [number[], number] = [[], 0];
  for (const day of days) {
    if (sumsOf) {
      await stageSums(deps, key, sumsOf(day));
      staged++;
    }
    if (rowsOf) {
      const rows = rowsOf(day);
      await sendRows(deps, 'brought', key, { day, rows, texts, properties });
      sent.push(day);
      count += rows.count;
    }
    if (sent.length >= DAYS_AT_ONCE || count >= ROWS_AT_ONCE) {
      staged += await stageDays(deps, key, sent);
      [sent, count] = [[], 0];
    }
    written();
  }
  return staged + (await stageDays(deps, key, sent));
}

/**
 * Refuses an import during a fill, which copies missing rows to a server. The copy would lack rows of the import. Gives
 * the number of the last fill.
 */
function assertNotFilling(db: Db): number {
  const servers = listServers(db);
  const filling = servers.find(({ state }) => state === 'filling');
  if (filling)
    throw new Refusal(
      `the server ${new URL(filling.url).host} of the cluster is being filled. Import again when daybook cluster lists it as complete`,
    );
  return Math.max(0, ...servers.map(({ fill }) => fill));
}

/**
 * Throws if a fill (a copy of missing rows to a server) began after the start of the import. Then the server may lack
 * rows of the import.
 */
function assertNotFilled(db: Db, latestFill: number): void {
  const filled = listServers(db).find(({ fill }) => fill > latestFill);
  if (filled)
    throw new Refusal(
      `the server ${new URL(filled.url).host} of the cluster was filled during the import. Nothing was imported. Import the file again when daybook cluster lists it as complete`,
    );
}

/**
 * `staged` is how many past days were stored. `openDay` is the open day of the file, if the file has rows of this day.
 * `open` has the days of the import with hits that are not sealed.
 */
type ToShow = { staged: number; openDay: number | null; replace: boolean; open: readonly number[] };

/**
 * Makes all days of the import count in answers, in one transaction. Throws if missing rows were copied to a server
 * since the import began. This server may lack rows of the import.
 */
const show = (
  { db, clock, takeNumber }: Deps,
  { latestFill, siteId, importId }: ImportRun,
  { replace, open, ...staged }: ToShow,
): void =>
  db.write(() => {
    assertNotFilled(db, latestFill);
    const listTaken = (days: readonly number[]) => days.filter((day) => isSealed(db, siteId, day));
    const listOpen = (days: readonly number[]) => days.filter((day) => open.includes(day));
    const showing = { replace, listTaken, listOpen, findNewestRow: takeNumber };
    showImport(db, { siteId, importId, ...staged, now: seconds(clock) }, showing);
  });
