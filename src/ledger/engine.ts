import type { BringOptions, Content, Engine } from '../engine.ts';
import type { Log } from '../lib/log.ts';
import { politely } from '../lib/steps.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import type { Measured } from '../stats/measured.ts';
import { daysToRead, type Question, type Range } from '../stats/question.ts';
import type { Db } from '../store/statements.ts';
import type { Threads } from '../threads/pool.ts';
import { appender } from './append.ts';
import {
  abandonImport,
  hideImport,
  listImports,
  listTaken,
  openRows,
  sealedDays,
  showImport,
  stageOpen,
  termsFor,
} from './bring.ts';
import { listDrops } from './drops.ts';
import { isFoldable, LIMITS, type Limits } from './fold-round.ts';
import { listActive } from './hits.ts';
import { addImport } from './imports.ts';
import { expired, removeExpired } from './keep.ts';
import { foldRound, sealLarge } from './large-days.ts';
import { isFromRollups } from './measure.ts';
import { addUpMonths } from './months.ts';
import { recount } from './recount.ts';
import { seal, stage } from './seal.ts';
import { hasSealedDays, listSumDays } from './sealed-days.ts';
import { forgetSite, sweep } from './sweep.ts';
import type { Tasks } from './tasks.ts';
import { listDaysWithHits, visitsIn } from './visits.ts';

/** Blocks of this many days always go to the same worker thread, whose column cache then has them. */
const BLOCK = 32;

/** Splits a range into blocks, by the key of their thread. */
function blocksOf(siteId: number, { from, to }: Range, threads: number): Map<number, Range[]> {
  const blocks = new Map<number, Range[]>();
  for (let day = from; day < to; ) {
    const end = Math.min((Math.floor(day / BLOCK) + 1) * BLOCK, to);
    const key = (siteId + Math.floor(day / BLOCK)) % threads;
    blocks.set(key, [...(blocks.get(key) ?? []), { from: day, to: end }]);
    day = end;
  }
  return blocks;
}

/** Answers a question from rollups in one thread, or by a scan that is split over all threads. */
const measuring =
  (readers: Threads<Tasks>) =>
  async (question: Question): Promise<Measured> => {
    const keyOfLatest = question.siteId + Math.floor((question.range.to - 1) / BLOCK);
    const blocks = isFromRollups(question) ? undefined : blocksOf(question.siteId, daysToRead(question), readers.size);
    if (!blocks || blocks.size < 2) return readers.run(keyOfLatest, 'measure', question);
    const parts = await Promise.all(
      [...blocks].map(([key, ranges]) => readers.run(key, 'measurePart', { question, ranges })),
    );
    return readers.run(keyOfLatest, 'merge', { question, parts });
  };

type Deps = {
  db: Db;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  /** Run queries. */
  readers: Threads<Tasks>;
  /** Compute sealed days. Started for each sealing and closed after it, which frees the memory. */
  sealers(): Threads<Tasks>;
  /** With them large open days are folded as they grow; without them, as in commands, only when they are sealed. */
  limits?: Limits | undefined;
};

/** Brings the month rollups up to date and deletes dead rows, after sealing or an import. */
async function tidyUp(db: Db, clock: Clock, pace: Pick<Clock, 'tick'> = clock): Promise<void> {
  const now = seconds(clock);
  await politely(addUpMonths(db, Math.floor(now / DAY)), pace);
  await politely(sweep(db, now), pace);
  // The WAL holds deleted rows, and their visitor codes, until it is emptied.
  db.emptyWal();
}

/** Seals each past day that is still open. Returns how many it sealed. */
async function sealDays({ db, clock, limits = LIMITS }: Deps, workers: Threads<Tasks>): Promise<number> {
  let days = 0;
  for (const siteDay of await workers.run(0, 'due', Math.floor(seconds(clock) / DAY))) {
    let isSealed = await sealLarge({ db, clock, limits }, workers, siteDay);
    if (isSealed === undefined) {
      const computed = await workers.run(0, 'compute', siteDay);
      isSealed = await politely(seal(db, siteDay, computed, seconds(clock)), clock);
    }
    if (isSealed) days++;
  }
  return days;
}

/** Puts what came to large open days into their parts. */
async function foldDays({ db, clock, sealers, limits = LIMITS }: Deps, stop: AbortSignal): Promise<void> {
  const workers = sealers();
  const close = () => void workers.close();
  stop.addEventListener('abort', close);
  try {
    for (const siteDay of await workers.run(0, 'foldable', limits)) {
      while (isFoldable(db, siteDay, limits) && (await foldRound({ db, clock, limits }, workers, siteDay)));
    }
  } finally {
    stop.removeEventListener('abort', close);
    await workers.close();
  }
}

/** Runs what is long one after another, and folds large days whenever enough hits have come. */
function backstage(deps: Deps) {
  const { log, limits } = deps;
  const stopping = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let isDue = false;
  let since = 0;

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }
  const fold = () => inTurn(() => foldDays(deps, stopping.signal));
  return {
    inTurn,
    fold,
    note(rows: number): void {
      since += rows;
      if (!limits || since < limits.rows / 4 || isDue || stopping.signal.aborted) return;
      isDue = true;
      since = 0;
      fold()
        .catch((error: Error) => {
          if (!stopping.signal.aborted) log('folding open days failed; it is tried again', { reason: error.message });
        })
        .finally(() => {
          isDue = false;
        });
    },
    async close(): Promise<void> {
      stopping.abort();
      await last;
    },
  };
}

async function nightly(deps: Deps, stop?: AbortSignal): Promise<number> {
  const { db, clock, log, sealers } = deps;
  const workers = sealers();
  const close = () => void workers.close();
  stop?.addEventListener('abort', close);
  try {
    const days = await sealDays(deps, workers);
    await politely(removeExpired(db, Math.floor(seconds(clock) / DAY)), clock);
    await tidyUp(db, clock);
    if (days > 0) log('days sealed', { days });
    return days;
  } finally {
    stop?.removeEventListener('abort', close);
    await workers.close();
  }
}

/** Writes an import without making it visible to queries, and then shows all of it in one transaction. */
async function bring(
  { db, clock }: Deps,
  siteId: number,
  content: Content,
  { replace, pace = clock, written = () => {} }: BringOptions,
): Promise<number> {
  const { today } = content;
  const importId = db.write(() => addImport(db, siteId, { now: seconds(clock), today }));
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
    abandonImport(db, key);
    throw error;
  } finally {
    await tidyUp(db, clock, pace);
  }
  return importId;
}

/** The engine on daybook's own SQLite file. */
export function ledger(deps: Deps): Engine {
  const { db, clock, log, meters, readers } = deps;
  const { append, drop, waiting, settle } = appender(db, log, meters);
  const background = backstage(deps);
  return {
    async append(batch) {
      await append(batch);
      background.note(batch.activities?.length ?? 0);
    },
    drop,
    waiting,
    settle,
    activeSince: (moment) => new Map(listActive(db, moment).map(({ visitor, last }) => [visitor, last])),
    measure: measuring(readers),
    crawls: (question) => readers.run(question.siteId, 'crawls', question),
    drops: async (siteId, range) => listDrops(db, siteId, range),
    growth: (today, siteId) => readers.run(0, 'growth', { today, siteId }),
    lastHit: () => readers.run(0, 'lastHit', undefined),
    visits: (siteId) => visitsIn(db, siteId),
    days: async (siteId) => ({
      hits: listDaysWithHits(db, siteId),
      sums: listSumDays(db, siteId, 0, Number.MAX_SAFE_INTEGER),
    }),
    taken: async (siteId, days) => listTaken(db, siteId, days),
    bring: (siteId, content, options) => bring(deps, siteId, content, options),
    imports: async (siteId) => db.read(() => listImports(db, siteId)),
    async removeImport(siteId, id) {
      const keptDay = hideImport(db, { siteId, importId: id });
      await tidyUp(db, clock);
      return keptDay;
    },
    forget: (siteId) => politely(forgetSite(db, siteId), clock),
    seal: (stop) => background.inTurn(() => nightly(deps, stop)),
    fold: background.fold,
    expired: async (siteId, today) => db.read(() => expired(db, siteId, today)),
    hasSealedDays: () => hasSealedDays(db),
    recount: () => recount(db),
    async close() {
      await background.close();
      await readers.close();
    },
  };
}
