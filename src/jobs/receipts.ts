// The job that makes receipts. A receipt is a signed record of the figures of a sealed day. A receipt is due if the day
// has changed since its last receipt. A thread counts the days (receipt-days.ts), and this file signs the receipts.
//
// Invariant: each sealed day that can be read gets a receipt, even after a crash between sealing and signing. Counting
// begins within a minute or two.
//
// Example: the day of a site is sealed at 00:01. Each minute, jobs.ts calls `run`. It writes the state of the sealed
// days, the exclusions and the domains as one text, the stamp. Now this text is different, so a thread starts and reads
// the day. Its receipt is signed and stored some seconds later.

import { appendReceipt, makeReceiptKey } from '../catalog/receipts.ts';
import { stampDays } from '../catalog/sealed-days.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, MINUTE, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { stampExclusions } from '../store/sites/exclusions.ts';
import { listSiteDomains } from '../store/sites/sites.ts';
import { type Started, startThread } from '../threads/thread.ts';
import { type CountedOrFault, countDueDays, type Reads } from './receipt-days.ts';

/** `engine` is the URL of the cluster, if a cluster stores the hits. */
export type ReceiptOrder = { engine: string | undefined };

/** What a thread sends: some days at a time, and undefined at its end. */
export type CountedGroup = CountedOrFault[] | undefined;

type Deps = { db: Db; path: string; code: string; random: Random; clock: Clock; receipts?: ReceiptOrder | undefined };

/** How long to wait before a day that could not be read is tried again. */
const AGAIN_SECONDS = 10 * MINUTE;

export function makeReceipts({ db, path, code, random, clock, receipts = { engine: undefined } }: Deps) {
  let thread: Started | undefined;
  let isStopped = false;
  /** The stamp of the latest run without a fault. */
  let doneFor: string | undefined;
  /**
   * The latest fault. Reading a large day takes a minute of processor time. So a day that cannot be read is not tried
   * again each minute.
   */
  let failed: { wanted: string; fault: string; until: number } | undefined;

  const inThread = (take: (group: CountedOrFault[]) => void): Promise<void> =>
    new Promise((done, failed) => {
      thread = startThread(code, { path, receipts }, (message) => {
        const group = message as CountedGroup;
        if (group === undefined) return done();
        try {
          if (!isStopped) take(group);
        } catch (error) {
          failed(error as Error);
        }
      });
      thread.worker.once('error', failed).once('exit', () => failed(new Error('its thread was stopped')));
    });

  /** Returns a text that changes whenever a receipt may be due. */
  const stamp = async (): Promise<string> =>
    JSON.stringify([await stampDays(db), stampExclusions(db), listSiteDomains(db)]);

  return {
    async run(): Promise<void> {
      if (isStopped) return;
      makeReceiptKey(db, random, seconds(clock));
      const wanted = await stamp();
      if (isStopped || wanted === doneFor) return;
      const now = seconds(clock);
      if (failed?.wanted === wanted && now < failed.until) throw new Error(failed.fault);
      const faults: string[] = [];
      await inThread((group) => faults.push(...signReceipts(db, group, seconds(clock))));
      if (isStopped) return;
      // A job reports one fault at a time, so only the first one is kept.
      const [fault] = faults;
      failed = fault === undefined ? undefined : { wanted, fault, until: now + AGAIN_SECONDS };
      if (fault !== undefined) throw new Error(fault);
      doneFor = wanted;
    },
    async stop(): Promise<void> {
      isStopped = true;
      await thread?.end();
    },
  };
}

/**
 * Signs the receipts of the counted days in `group`, in one transaction. Returns the reasons why other days could not
 * be counted.
 */
const signReceipts = (db: Db, group: readonly CountedOrFault[], now: number): string[] =>
  db.write(() =>
    group.flatMap((one) => {
      if ('fault' in one) return [one.fault];
      appendReceipt(db, one, now);
      return [];
    }),
  );

/**
 * Makes all receipts that are due, in the thread of the caller. Commands call this function. Returns the reasons why
 * some days could not be counted.
 */
export async function makeDueReceipts(
  db: Db,
  engine: Reads,
  { random, now }: { random: Random; now: number },
): Promise<string[]> {
  makeReceiptKey(db, random, now);
  const faults: string[] = [];
  for await (const one of countDueDays(db, engine)) faults.push(...signReceipts(db, [one], now));
  return faults;
}
