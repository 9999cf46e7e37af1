import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { rememberRemoved } from '../../src/collect/removed-salts.ts';
import { loadThreadCode } from '../../src/embedded/thread.ts';
import type { Queries, Upkeep } from '../../src/engine/engine.ts';
import { startJobs } from '../../src/jobs/jobs.ts';
import { openLedgerInThreads } from '../../src/ledger/in-threads.ts';
import { LIMITS } from '../../src/ledger/open/compaction.ts';
import { watchClock } from '../../src/store/server/clock-trust.ts';
import { findUpkeep } from '../../src/store/server/upkeep.ts';
import { TODAY } from '../collect/stage.ts';
import { bookOf } from '../ledger/stage.ts';
import { tasksHere } from '../support/helpers.ts';
import { until } from '../support/program.ts';

const code = await loadThreadCode();
const MINUTE_MS = 60_000;

/** The end of today, by the clock of jobsOf. */
export const MIDNIGHT = (TODAY + 1) * 86_400;

/** A thread that dies when it is to compute a day of site 1, as long as there is a file that says so. */
const DYING = `{
  const { parentPort, workerData } = require('node:worker_threads');
  const on = parentPort.on.bind(parentPort);
  const isDue = ({ name, input }) => name === 'beginSeal' && input.siteDay.siteId === 1;
  const isFaulty = () => process.getBuiltinModule('node:fs').existsSync(workerData.path + '.fault');
  parentPort.on = (event, heard) => on(event, (job) => (isDue(job) && isFaulty() ? process.exit(1) : heard(job)));
}
`;

/** The tests whose minutes pass by hand already: several servers may run in one. */
const mocked = new WeakSet<TestContext>();

/**
 * What a server does by itself, with its minutes and its clock in the hand of the test; servers differ by their number. Days are sealed in
 * this thread, or in worker threads where the test is about them.
 */
export function jobsOf(
  t: TestContext,
  { keep = 0, folder = '', number = 1, limits = LIMITS, threaded = false } = {},
  /** What is in place of parts of the engine, and how long a job may keep others waiting. */
  { patienceMs, ...parts }: Partial<Upkeep & Queries> & { patienceMs?: number } = {},
) {
  if (!mocked.has(t)) t.mock.timers.enable({ apis: ['setInterval'] });
  mocked.add(t);
  const book = bookOf(t);
  const lines: string[] = [];
  let second = TODAY * 86_400 + 43_200;
  let turns = 0;
  let waited = 0;
  const clock = { now: () => second * 1000, tick: () => performance.now() + waited };
  const log = (event: string, details = {}) => lines.push(`${event} ${JSON.stringify(details)} at ${second}`);
  const trust = watchClock(book.db, clock);
  const threads = threaded ? undefined : tasksHere;
  const { db, path } = book;
  const engine = openLedgerInThreads({ db, path, code: DYING + code, trust, limits, threads, clock, log });
  const queries = { ...engine.queries, ...parts };
  const upkeep = { ...engine.upkeep, ...parts };
  t.after(() => engine.close());
  // Whether the visitor codes of another day are given up.
  const removedSalts = rememberRemoved(randomBytes);
  const collector = { everyMinute: () => void turns++, removedSalts };
  const backups = { folder: folder || `${book.path}.backups`, keep };
  let mailLooks = 0;
  let jobs: ReturnType<typeof startJobs> | undefined;
  const mails = { run: async () => void mailLooks++, stop: () => {} };
  const random = (bytes: number) => Buffer.alloc(bytes, number);
  return {
    ...book,
    copies: backups.folder,
    lines,
    clock,
    removedSalts,
    turns: () => turns,
    mailed: () => mailLooks,
    start(limit = keep) {
      const own = { random, collector, log, mails, ...(patienceMs === undefined ? {} : { patienceMs }) };
      const copying = { folder: backups.folder, keep: limit };
      const started = startJobs({ db, path, code, queries, upkeep, clock, trust, ...own, backups: copying });
      jobs = started;
      t.after(() => started.stop());
      return started;
    },
    /** A minute passes; a look that is not over yet takes the place of the next. */
    tick: () => t.mock.timers.tick(MINUTE_MS),
    /** Resolves when the look that has begun is over. */
    looked: async (): Promise<void> => jobs?.looked(),
    /** Sets the clock, and lets it look at what is due once it has ended what it does. */
    async look(at: number): Promise<void> {
      await jobs?.looked();
      second = at;
      t.mock.timers.tick(MINUTE_MS);
      await turn();
      await turn();
    },
    set(at: number): void {
      second = at;
    },
    /** The ticks go on without the clock on the wall. */
    wait(seconds: number): void {
      waited += seconds * 1000;
    },
    /** After days were sealed some are counted again, and then the look is over. */
    async logged(line: string): Promise<void> {
      await until(`${line} is logged`, () => lines.includes(line));
      if (line.startsWith('days sealed')) {
        await until('some days are counted again', () => findUpkeep(book.db, 'recount')?.at === second);
      }
    },
  };
}
