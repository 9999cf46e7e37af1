import { abandonImport, hideImport, listImportedDays, listImports } from '../catalog/imported.ts';
import { addImport } from '../catalog/imports.ts';
import { hasSealedDays, listSumDays } from '../catalog/sealed-days.ts';
import { withUnknown, withUnknownOfSites } from '../catalog/unknown.ts';
import type { Activity } from '../engine/activity.ts';
import type { Engine } from '../engine/engine.ts';
import type { BringOptions, Content } from '../engine/import-content.ts';
import { politely } from '../lib/steps.ts';
import { DAY, seconds } from '../lib/time.ts';
import { UTC } from '../lib/zone.ts';
import type { SharedMeasured, SharedQuestion, SiteDays } from '../stats/all-sites.ts';
import type { Measured } from '../stats/measured.ts';
import { askForVisitors, listRanges, type Question, type Range } from '../stats/question.ts';
import type { Db } from '../store/db.ts';
import type { Threads } from '../threads/pool.ts';
import { appender } from './open/append.ts';
import { dayCounts } from './open/hits-per-day.ts';
import { mostRows, portionsOf, type SitesPart } from './query/all-sites.ts';
import { listDaysWithHits, visitsIn } from './query/export-visits.ts';
import { measuredOf } from './query/merge.ts';
import { isFromRollups } from './query/plan.ts';
import { listDropped, listDrops } from './rows/drops.ts';
import { countImported, listActive } from './rows/hits.ts';
import { textsOf } from './rows/terms.ts';
import { listReducedSites } from './sealed/excluded-sums.ts';
import { listTaken, openRows, sealedDays, showImport, stageOpen, termsFor } from './upkeep/import.ts';
import { recount } from './upkeep/recount.ts';
import { expired } from './upkeep/retention.ts';
import { stage } from './upkeep/seal.ts';
import { forgetSite } from './upkeep/sweep.ts';
import { backstage } from './work/background.ts';
import { type Deps, nightly, recountSome, resum, tidyUp } from './work/nightly.ts';
import type { Tasks } from './work/tasks.ts';

/** Blocks of this many days always go to the same worker thread, whose column cache then has them; a month is in four, for all threads. */
const BLOCK = 8;

/** The thread that has the latest days of a site. */
const keyOfLatest = (siteId: number, { to }: Range): number => siteId + Math.floor((to - 1) / BLOCK);

/** Where a question about some days of a site is answered. */
const placeOf = (siteId: number, range: Range, gone?: AbortSignal) => ({
  key: keyOfLatest(siteId, range),
  line: siteId,
  gone,
});

/** Splits ranges into blocks, by the key of their thread. */
function blocksOf(siteId: number, ranges: readonly Range[], threads: number): Map<number, Range[]> {
  const blocks = new Map<number, Range[]>();
  for (const { from, to } of ranges) {
    for (let day = from; day < to; ) {
      const end = Math.min((Math.floor(day / BLOCK) + 1) * BLOCK, to);
      const key = (siteId + Math.floor(day / BLOCK)) % threads;
      blocks.set(key, [...(blocks.get(key) ?? []), { from: day, to: end }]);
      day = end;
    }
  }
  return blocks;
}

/** The sites whose sums are being made again: days that wait for theirs are scanned. */
type Unsummed = { has(siteId: number): boolean };

/** Answers a question from rollups in one thread, or by a scan that is split over all threads. */
const measuring =
  (db: Db, readers: Threads<Tasks>, unsummed: Unsummed) =>
  async (question: Question, gone?: AbortSignal): Promise<Measured> => {
    const place = (key: number) => ({ key, line: question.siteId, gone });
    const latest = placeOf(question.siteId, question.range, gone);
    const isScan = !isFromRollups(question) || unsummed.has(question.siteId);
    const blocks = isScan ? blocksOf(question.siteId, listRanges(question), readers.size) : undefined;
    if (!blocks || blocks.size < 2) return withUnknown(db, question, await readers.run(latest, 'measure', question));
    const parts = await Promise.all(
      [...blocks].map(([key, ranges]) => readers.run(place(key), 'measurePart', { question, ranges })),
    );
    // Counts of values may be many. All else is merged in less time than a thread takes to get it.
    const isLong = parts.some(({ counts }) => Object.keys(counts).length > 0);
    const merged = isLong
      ? await readers.run(latest, 'merge', { question, parts })
      : measuredOf(question, parts, textsOf(db, question.siteId));
    return withUnknown(db, question, merged);
  };

/** Each thread measures its sites one portion after another, so that it has at most one to do at a time. */
const measuringSites =
  (db: Db, readers: Threads<Tasks>) =>
  async (question: SharedQuestion, gone?: AbortSignal): Promise<SharedMeasured> => {
    // Sites have the numbers above 0.
    const place = (key: number) => ({ key, line: -question.userId, gone });
    async function measureIn(key: number, own: readonly SiteDays[], most: number): Promise<SitesPart[]> {
      const parts: SitesPart[] = [];
      for (const sites of portionsOf(question, own)) {
        parts.push(await readers.run(place(key), 'measureSites', { question: { ...question, sites }, most }));
      }
      return parts;
    }
    const threads = Map.groupBy(question.sites, ({ siteId, range }) => keyOfLatest(siteId, range) % readers.size);
    async function measured(most: number): Promise<SharedMeasured | undefined> {
      const parts = await Promise.all([...threads].map(([key, sites]) => measureIn(key, sites, most)));
      return readers.run(place(question.userId), 'sumOfSites', { question, parts: parts.flat() });
    }
    // All rows of all sites are many, and hardly ever needed to know the largest.
    const found = (await measured(mostRows(question))) ?? (await measured(Number.POSITIVE_INFINITY));
    if (!found) throw new Error('the rows of all sites are not enough to know the largest');
    return withUnknownOfSites(db, question, found);
  };

/** Writes an import without making it visible to queries, and then shows all of it in one transaction. */
async function bring(
  deps: Deps,
  siteId: number,
  content: Content,
  { replace, pace = deps.clock, written = () => {} }: BringOptions,
): Promise<number> {
  const { db, clock } = deps;
  const { today, timeZone = UTC } = content;
  const importId = db.write(() => addImport(db, siteId, { now: seconds(clock), today, timeZone }));
  const key = { siteId, importId };
  try {
    const terms = await politely(termsFor(db, siteId, content.texts), pace);
    let sealed = 0;
    function* countedDays() {
      for (const day of sealedDays(content, terms)) {
        sealed++;
        yield day;
        written();
      }
    }
    await politely(stage(db, siteId, countedDays(), { importId, now: seconds(clock) }), pace);
    const rows = openRows(content, terms);
    if (rows) await politely(stageOpen(db, key, today, rows), pace);
    showImport(db, { ...key, sealed, now: seconds(clock) }, replace);
  } catch (error) {
    abandonImport(db, siteId, importId);
    throw error;
  } finally {
    await tidyUp(deps, { pace });
  }
  return importId;
}

type Asking = Pick<
  Engine,
  | 'suggest'
  | 'measure'
  | 'measureSites'
  | 'crawls'
  | 'preview'
  | 'aside'
  | 'firstHits'
  | 'receipts'
  | 'visitedDays'
  | 'growth'
  | 'lastHit'
>;

/** The questions that reading threads answer. */
function asking(db: Db, readers: Threads<Tasks>, unsummed: Unsummed): Asking {
  const measure = measuring(db, readers, unsummed);
  return {
    measure,
    measureSites: measuringSites(db, readers),
    crawls: (question, gone) => readers.run({ line: question.siteId, gone }, 'crawls', question),
    preview: (siteId, range, filters, gone) =>
      readers.run(placeOf(siteId, range, gone), 'preview', { siteId, range, filters }),
    suggest: (question, gone) => readers.run(placeOf(question.siteId, question.range, gone), 'suggest', question),
    async aside(siteId, range, gone) {
      // The goals of a site without any are its visitors, which are read from sums.
      const question = askForVisitors(siteId, range);
      // Not in blocks: its range may begin long before the first day.
      const { aside } = await readers.run(placeOf(siteId, range, gone), 'measure', question);
      return aside;
    },
    firstHits: (siteIds, since) => readers.run({}, 'firstHits', { siteIds, since }),
    receipts: (siteId, range, gone) => readers.run(placeOf(siteId, range, gone), 'receipts', { siteId, range }),
    visitedDays: (siteId, range) => readers.run(placeOf(siteId, range), 'visited', { siteId, range }),
    growth: (today, siteId) => readers.run({}, 'growth', { today, siteId }),
    lastHit: () => readers.run({}, 'lastHit', undefined),
  };
}

/** At any moment the running days of two sites are at most so far apart. */
const DAYS_APART = 2;

/** The engine on daybook's own SQLite file. */
export function ledger(deps: Deps): Engine {
  const { db, clock, log, meters, readers, capacity = 0 } = deps;
  const background = backstage(deps);
  const counts = dayCounts(db);
  const unsummed = new Set<number>();
  function stored(activities: readonly Activity[]): void {
    counts.add(activities);
    background.note(activities.length);
  }
  const { append, drop, waiting, settle } = appender(db, { log, clock, meters, stored });
  return {
    append,
    isFull: (siteId, day) => capacity > 0 && counts.of(siteId, day) >= capacity,
    droppedDays: async (reason, from) => listDropped(db, reason, from),
    drop,
    waiting,
    settle,
    isShared: false,
    activeSince: (moment) => new Map(listActive(db, moment).map(({ visitor, last }) => [visitor, last])),
    ...asking(db, readers, unsummed),
    async resum(stop) {
      const sites = listReducedSites(db);
      // Most servers have no exclusion, and look every minute.
      if (sites.length === 0) return 0;
      for (const siteId of sites) unsummed.add(siteId);
      try {
        return await background.inTurn(() => resum(deps, background.until(stop)));
      } finally {
        unsummed.clear();
      }
    },
    drops: async (siteId, range) => listDrops(db, siteId, range),
    recountSome: (stop) => background.inTurn(() => recountSome(deps, stop)),
    visits: (siteId) => visitsIn(db, siteId),
    days: async (siteId) => ({
      hits: listDaysWithHits(db, siteId),
      sums: listSumDays(db, siteId, 0, Number.MAX_SAFE_INTEGER),
    }),
    taken: async (siteId, days) => listTaken(db, siteId, days),
    bring: (siteId, content, options) => bring(deps, siteId, content, options),
    imports: async (siteId) => db.read(() => listImports(db, siteId, countImported(db, siteId))),
    importedDays: async (siteId) => db.read(() => listImportedDays(db, siteId)),
    async removeImport(siteId, id) {
      const keptDay = hideImport(db, siteId, id);
      await tidyUp(deps);
      return keptDay;
    },
    forget: (siteId) => politely(forgetSite(db, siteId), clock),
    async seal(stop) {
      counts.forgetBefore(Math.floor(seconds(clock) / DAY) - DAYS_APART);
      const night = await background.inTurn(() => nightly(deps, stop));
      // What came while the server was down, or before it knew parts.
      if (deps.limits && stop?.aborted !== true) await background.fold(stop);
      return night;
    },
    refusal: () => undefined,
    sweep: async () => {},
    fold: () => background.fold(),
    expired: async (siteId, today) => db.read(() => expired(db, siteId, today)),
    hasSealedDays: () => hasSealedDays(db),
    async *recount() {
      yield* recount(db);
    },
    keep: async () => {},
    listSilent: async () => [],
    away: () => [],
    async close() {
      await background.close();
      await readers.close();
    },
  };
}
