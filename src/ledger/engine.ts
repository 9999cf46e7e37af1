import type { BringOptions, Content, Engine, Night } from '../engine.ts';
import type { Log } from '../lib/log.ts';
import { politely, untilStopped } from '../lib/steps.ts';
import { type Clock, DAY, dayOf, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import type { Measured } from '../stats/measured.ts';
import { daysToRead, type Question, type Range } from '../stats/question.ts';
import { listSiteDomains } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import type { Trust } from '../store/trust.ts';
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
import { packCrawls } from './crawls.ts';
import { listDrops } from './drops.ts';
import { listActive } from './hits.ts';
import { addImport } from './imports.ts';
import { expired, removeExpired } from './keep.ts';
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
  async (question: Question, gone?: AbortSignal): Promise<Measured> => {
    const place = (key: number) => ({ key, line: question.siteId, gone });
    const keyOfLatest = question.siteId + Math.floor((question.range.to - 1) / BLOCK);
    const blocks = isFromRollups(question) ? undefined : blocksOf(question.siteId, daysToRead(question), readers.size);
    if (!blocks || blocks.size < 2) return readers.run(place(keyOfLatest), 'measure', question);
    const parts = await Promise.all(
      [...blocks].map(([key, ranges]) => readers.run(place(key), 'measurePart', { question, ranges })),
    );
    return readers.run(place(keyOfLatest), 'merge', { question, parts });
  };

type Deps = {
  db: Db;
  clock: Clock;
  trust: Pick<Trust, 'look'>;
  log: Log;
  meters?: Meters | undefined;
  /** Run queries. */
  readers: Threads<Tasks>;
  /** Compute sealed days. Started for each sealing and closed after it, which frees the memory. */
  sealers(): Threads<Tasks>;
};

/** Brings the month rollups up to date and deletes dead rows, after sealing or an import; what is dead only a trusted clock says. */
async function tidyUp({ db, clock, trust }: Deps, pace: Pick<Clock, 'tick'> = clock): Promise<void> {
  if (!trust.look()) return;
  const now = seconds(clock);
  await politely(addUpMonths(db, Math.floor(now / DAY)), pace);
  await politely(sweep(db, now), pace);
  // The WAL holds deleted rows, and their visitor codes, until it is emptied.
  db.emptyWal();
}

/** Seals each past day that is still open. One that cannot be sealed stays open, and does not keep the others from it. */
async function sealDays(deps: Deps, today: number, workers: Threads<Tasks>, stop?: AbortSignal): Promise<Night> {
  const { db, clock, log } = deps;
  const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
  const failed: Night['failed'] = [];
  let days = 0;
  for (const siteDay of await workers.run({ key: 0 }, 'due', today)) {
    try {
      const computed = await workers.run({ key: 0 }, 'compute', siteDay);
      if (await politely(seal(db, siteDay, computed, seconds(clock)), clock)) days++;
    } catch (error) {
      if (stop?.aborted) throw error;
      const [reason = ''] = (((error as Error).cause as Error | undefined) ?? (error as Error)).message.split('\n');
      const one = { domain: domains.get(siteDay.siteId) ?? '', day: dayOf(siteDay.day * DAY), reason };
      log('day not sealed; it stays open and is answered as before', one);
      failed.push(one);
    }
  }
  return { days, failed };
}

async function nightly(deps: Deps, stop?: AbortSignal): Promise<Night> {
  const { db, clock, trust, log, sealers } = deps;
  // Once, so that a leap in the middle of the work changes nothing of it.
  const today = Math.floor(seconds(clock) / DAY);
  if (!trust.look()) return { days: 0, failed: [] };
  const workers = sealers();
  const close = () => void workers.close();
  stop?.addEventListener('abort', close);
  try {
    const night = await sealDays(deps, today, workers, stop);
    await politely(untilStopped(packCrawls(db, today), stop), clock);
    await politely(untilStopped(removeExpired(db, today), stop), clock);
    if (stop?.aborted) return night;
    await tidyUp(deps);
    if (night.days > 0) log('days sealed', { days: night.days });
    return night;
  } finally {
    stop?.removeEventListener('abort', close);
    await workers.close();
  }
}

/** Writes an import without making it visible to queries, and then shows all of it in one transaction. */
async function bring(
  deps: Deps,
  siteId: number,
  content: Content,
  { replace, pace = deps.clock, written = () => {} }: BringOptions,
): Promise<number> {
  const { db, clock } = deps;
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
    await tidyUp(deps, pace);
  }
  return importId;
}

/** The engine on daybook's own SQLite file. */
export function ledger(deps: Deps): Engine {
  const { db, clock, log, meters, readers } = deps;
  const { append, drop, waiting, settle } = appender(db, { log, clock, meters });
  return {
    append,
    drop,
    waiting,
    settle,
    activeSince: (moment) => new Map(listActive(db, moment).map(({ visitor, last }) => [visitor, last])),
    measure: measuring(readers),
    crawls: (question, gone) => readers.run({ key: question.siteId, line: question.siteId, gone }, 'crawls', question),
    drops: async (siteId, range) => listDrops(db, siteId, range),
    growth: (today, siteId) => readers.run({ key: 0 }, 'growth', { today, siteId }),
    lastHit: () => readers.run({ key: 0 }, 'lastHit', undefined),
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
      await tidyUp(deps);
      return keptDay;
    },
    forget: (siteId) => politely(forgetSite(db, siteId), clock),
    seal: (stop) => nightly(deps, stop),
    expired: async (siteId, today) => db.read(() => expired(db, siteId, today)),
    hasSealedDays: () => hasSealedDays(db),
    recount: () => recount(db),
    close: () => readers.close(),
  };
}
