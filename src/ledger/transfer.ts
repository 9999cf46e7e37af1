// Sends all data of the ledger to another engine, or receives all data from the other engine: sealed days, rows of open
// days, crawls and drops.
//
// Invariant: a sealed day keeps its totals. The transfer fails if a received day has other totals than the catalog has
// for this day.
//
// Example: a sealed day with 1,000 visits is sent as visits with texts. The other engine stores these visits in its own
// format, counts them, and compares the result with 1,000. engine.ts calls `makeTransfer`, and src/cli/move-way.ts uses
// the result.
import { findReduced } from '../catalog/reduced-days.ts';
import { findDay, type SealedDay } from '../catalog/sealed-days.ts';
import type { Activity, Crawl, Drop, Visit } from '../engine/activity.ts';
import { type DaySums, emptyRows, type ImportedRows, packScroll, unpackScroll } from '../engine/import-content.ts';
import type { Transfer, TransferActivity, TransferContent, TransferDay } from '../engine/transfer.ts';
import { Refusal } from '../lib/errors.ts';
import { runPolitely, type Steps } from '../lib/steps.ts';
import { type Clock, DAY, formatDay } from '../lib/time.ts';
import { TOTALS } from '../stats/aggregates.ts';
import {
  BREAKDOWN_NAMES,
  BREAKDOWNS,
  type Breakdown,
  PROPERTIES,
  REVENUE,
  STORED_BREAKDOWNS,
  TEXT_FIELDS,
  type TextField,
} from '../stats/dimensions.ts';
import { writeAmountCounts } from '../stats/revenue.ts';
import { makeVisitRows } from '../stats/visit-rows.ts';
import type { Db } from '../store/db.ts';
import { listSiteDomains, listSiteIds } from '../store/sites/sites.ts';
import { addBlob, rollupTable, type StoredBlob, writeInSteps } from './column/blobs.ts';
import { chooseTexts } from './count/dimension-column.ts';
import type { Day } from './day/day.ts';
import { sessionize } from './day/sessionize.ts';
import { listVisits } from './day/visits.ts';
import { hasShards, listOpenDays, listSources } from './open/row-sources.ts';
import { dayReader } from './query/day-reader.ts';
import { makeTermIndex } from './rows/capped-terms.ts';
import { addCrawl, listSiteCrawls } from './rows/crawls.ts';
import { addDrop, listSiteDrops } from './rows/drops.ts';
import { appendLists, type HitList, VITALS_AT } from './rows/hit-lists.ts';
import { addActivities, countOpenHits, listHits } from './rows/hits.ts';
import { addAfterRetention } from './rows/packed-crawls.ts';
import { readSet } from './rows/property-sets.ts';
import { collectSets } from './rows/read-sets.ts';
import { cacheTexts, findOrAddTerm } from './rows/terms.ts';
import { type PackedDay, packDay } from './sealed/packed-day.ts';
import { readStoredRevenue } from './sealed/revenue-sums.ts';
import { readRollup } from './sealed/rollup.ts';
import { packTotalsOnly } from './sealed/totals-only.ts';
import { emptyDays, emptySite, forgetRest } from './upkeep/sweep.ts';

const PORTION = 5_000;

export function makeTransfer(db: Db, clock: Clock): Transfer {
  const days = dayReader(db);
  const terms = makeTermIndex(db);

  async function take({ readVisits, readSums, readReduced, ...day }: TransferContent): Promise<void> {
    const known = new Map<string, number>([['', 0]]);
    const findTerm = (text: string): number => {
      const term = known.get(text) ?? db.write(() => findOrAddTerm(db, day.siteId, text));
      known.set(text, term);
      return term;
    };
    const sets = collectSets(findTerm);
    const taken = day.hasHits
      ? packDay(sessionize(day.day, await makeRows(readVisits(), { findTerm, sets }), 'time'), day.slice, {
          findTerm,
          readText: cacheTexts(db, day.siteId),
          readSets: () => sets,
        })
      : packTotalsOnly(await readSums(), { findTerm });
    assertSame(taken, day);
    const sums = await readReduced();
    const reduced = sums ? packTotalsOnly(sums, { findTerm }).rollups : [];
    await runPolitely(writeDay(db, day.id, taken, reduced), clock);
  }

  return {
    readVisits(day) {
      days.nextQuery();
      const [columns]: Day[] = [...days.each([sealedDay(db, day.id)])];
      if (!columns) throw new Error(`sealed day ${day.id} has no hits`);
      const texts = { readText: cacheTexts(db, day.siteId) };
      return inAll(listVisits(columns, texts, { before: 0, isExcluded: undefined }));
    },
    readSums: async (day) => readDaySums(db, day, sealedDay(db, day.id)),
    readReduced: async (day) => readReducedSums(db, day),
    readActivities: () => inAll(portions(openActivities(db))),
    readCrawls: () => inAll(portions(allCrawls(db))),
    readDrops: () => inAll(portions(listSiteIds(db).flatMap((siteId) => listSiteDrops(db, siteId)))),
    async takeDays(handed) {
      for (const day of handed) await take(day);
    },
    async takeActivities(activities) {
      const rows = activities.map(({ importId, ...activity }) => ({
        ...activity,
        importId: importId === 0 ? null : importId,
      }));
      db.write(() => addActivities(db, rows as (Activity & { importId: number | null })[], terms));
    },
    async takeCrawls(crawls) {
      db.write(() => {
        for (const { page, ...crawl } of crawls) {
          const term = page === '' ? 0 : findOrAddTerm(db, crawl.siteId, page);
          if (crawl.crawler === '' || page === '') addAfterRetention(db, crawl, new Map([[term, crawl.requests]]));
          else addCrawl(db, { ...crawl, page }, term);
        }
      });
    },
    async takeDrops(drops: readonly Drop[]) {
      db.write(() => {
        for (const drop of drops) addDrop(db, drop);
      });
    },
    countOpenHits: async () => countOpenHits(db),
    // Only open days are counted. The two engines share the list of sealed days. The data of a listed day may therefore
    // be in the other engine.
    isEmpty: async () => countOpenHits(db) === 0,
    deleteDays: (ids) => runPolitely(emptyDays(db, ids), clock),
    async deleteRest() {
      terms.forget();
      for (const siteId of listSiteIds(db)) await runPolitely(forgetRest(db, siteId), clock);
    },
    async deleteAll() {
      days.forget();
      for (const siteId of listSiteIds(db)) await runPolitely(emptySite(db, siteId), clock);
    },
  };
}

function* portions<Item>(items: Iterable<Item>): Generator<Item[]> {
  let some: Item[] = [];
  for (const item of items) {
    some.push(item);
    if (some.length < PORTION) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

function sealedDay(db: Db, id: number): SealedDay {
  const day = findDay(db, id);
  if (!day) throw new Error(`sealed day ${id} is gone`);
  return day;
}

function readReducedSums(db: Db, day: TransferDay): DaySums | undefined {
  const own = day.hasHits ? undefined : findReduced(db, day.id);
  if (own?.excluded[0] === undefined) return undefined;
  const row = { ...sealedDay(db, day.id), ...own.totals, reduced: own.exclusions };
  return readDaySums(db, { ...day, totals: own.totals }, row);
}

function readDaySums(db: Db, day: TransferDay, row: SealedDay): DaySums {
  const readText = cacheTexts(db, day.siteId);
  const readRows = (breakdown: Breakdown) => {
    const { readText: readValue } = chooseTexts(BREAKDOWNS[breakdown], { readText });
    const { events, terms, visitors, hits } = readRollup(db, row, breakdown);
    return Array.from(terms, (term, i) => ({
      event: readText(events[i] ?? 0),
      value: readValue(term),
      visitors: visitors[i] ?? 0,
      hits: hits[i] ?? 0,
    }));
  };
  const names = day.hasHits ? STORED_BREAKDOWNS : BREAKDOWN_NAMES;
  const revenue = day.hasHits ? [] : [[REVENUE, writeAmountCounts(readStoredRevenue(db, row))] as const];
  const counts = new Map([...names.map((name) => [name, readRows(name)] as const), ...revenue]);
  return { day: day.day, totals: day.totals, counts };
}

/**
 * Yields those rows of an open day that queries count, live and imported. Throws for a day so large that its rows were
 * written into shards, because shards cannot be moved.
 */
function* readDayRows(db: Db, siteId: number, day: number): Generator<{ list: HitList; importId: number }> {
  if (hasShards(db, { siteId, day })) {
    const domain = listSiteDomains(db).find(({ id }) => id === siteId)?.domain;
    throw new Refusal(
      `${domain} had so many hits on ${formatDay(day * DAY)} that they are stored as shards, which cannot be moved. Try again when that day is sealed`,
    );
  }
  const lists = listSources(db, siteId, day).flatMap((source) =>
    [...listHits(db, { ...source, day }, source.after)]
      .flat()
      .map((list) => ({ list, importId: source.importId ?? 0 })),
  );
  yield* lists.sort((one, other) => (one.list[0] ?? 0) - (other.list[0] ?? 0));
}

function* openActivities(db: Db): Generator<TransferActivity> {
  for (const siteId of listSiteIds(db)) {
    const readText = cacheTexts(db, siteId);
    for (const day of listOpenDays(db, siteId, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)) {
      for (const { list, importId } of readDayRows(db, siteId, day)) {
        const [, second = 0, visitor = 0, engaged = 0, scroll = 0, ...terms] = list;
        const read = (field: TextField, term: number) =>
          field === PROPERTIES ? readSet(db, term, readText) : readText(term);
        const texts = Object.fromEntries(TEXT_FIELDS.map((field, i) => [field, read(field, terms[i] ?? 0)])) as Record<
          TextField,
          string
        >;
        const own = { siteId, day, second, visitor, importId };
        const vitals = list[VITALS_AT] ?? 0;
        const heartbeat = { ...own, page: texts.page, engaged, scroll: unpackScroll(scroll) };
        if (engaged < 0) yield { ...own, ...texts };
        else yield vitals === 0 ? heartbeat : { ...heartbeat, vitals };
      }
    }
  }
}

function* allCrawls(db: Db): Generator<Crawl> {
  for (const siteId of listSiteIds(db)) yield* listSiteCrawls(db, siteId);
}

/**
 * Turns received visits into rows, because `sessionize` makes the columns of a day from rows. The rows of a visitor are
 * in the order of time.
 */
async function makeRows(
  visits: AsyncIterable<Visit>,
  { findTerm, sets }: { findTerm: (text: string) => number; sets: ReturnType<typeof collectSets> },
): Promise<ImportedRows> {
  let rows = emptyRows(1_024);
  const find = (field: TextField, text: string) => (field === PROPERTIES ? sets.add(text) : findTerm(text));
  for await (const visit of visits) {
    const texts = TEXT_FIELDS.map((field) => (field in visit ? findTerm(visit[field as keyof Visit] as string) : 0));
    const lists = [...makeVisitRows(visit)].map((row): HitList => {
      const own = TEXT_FIELDS.map((field, i) => (field in row ? find(field, row[field as 'page']) : (texts[i] ?? 0)));
      return [0, row.second, visit.visitor, row.engaged ?? -1, packScroll(row.scroll), ...own, row.vitals];
    });
    rows = appendLists(rows, lists);
  }
  return rows;
}

function assertSame(taken: PackedDay, day: TransferDay): void {
  for (const name of TOTALS)
    if (taken.totals[name] !== day.totals[name])
      throw new Error(`sealed day ${day.id}: ${day.totals[name]} ${name} became ${taken.totals[name]}`);
}

/** Writes the columns and sums of a received day. The day itself is already in the list of sealed days. */
function* writeDay(db: Db, id: number, { blobs, rollups }: PackedDay, reduced: readonly StoredBlob[]): Steps {
  yield* emptyDays(db, [id]);
  const writes = [
    ...blobs.map((blob) => ({ blob, table: 'sealed_blob' as const })),
    ...rollups.map((blob) => ({ blob, table: 'rollup' as const })),
    ...reduced.map((blob) => ({ blob, table: rollupTable(true) })),
  ].map(({ blob, table }) => ({ bytes: blob.data.byteLength, write: () => addBlob(db, table, id, blob) }));
  yield* writeInSteps(db, writes);
}

async function* inAll<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}
