// Sends a report of the collector to the primary once a second, and applies the response.
//
// Invariant: if the primary does not respond, a collector continues with the settings that it has. If the primary
// refuses the secret or the outbox of the collector, the collector refuses hits and sends no rows.
//
// Example: the primary restarts and does not respond for 20 s. The log says once that the primary is away, and hits are
// accepted as before. compose-collector.ts uses this file.
import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { OutboxIntake } from '../cluster/outbox/intake.ts';
import { findReach, readFirstProgress } from '../cluster/outbox/reach.ts';
import type { Collector } from '../collect/collector.ts';
import { version } from '../embedded/version.ts';
import { Refusal, UNUSABLE } from '../lib/errors.ts';
import { isStorageError } from '../lib/http/answer.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, iso, seconds } from '../lib/time.ts';
import { watchTrouble } from '../lib/trouble.ts';
import { removeAllSalts } from '../store/cluster/copied-tables.ts';
import type { Outbox } from '../store/cluster/outbox.ts';
import { findFirstWaiting } from '../store/cluster/outbox-pieces.ts';
import { countParcels, findSender, forgetPrimary } from '../store/cluster/outbox-sender.ts';
import { MOST_SKEW } from '../store/cluster/sender-status.ts';
import type { Db } from '../store/db.ts';
import { findOwnSearch } from '../store/server/collector-searches.ts';
import { findUpkeep } from '../store/server/upkeep.ts';
import type { PrimaryClock } from './clock.ts';
import { type Gate, REASONS } from './gate.ts';
import { exchange, type HeardAnswer, Nonsense, UnknownCollector } from './primary.ts';
import type { TokenCheck } from './token-check.ts';

export const EVERY_MS = 1_000;

const AWAY = 'the primary does not answer. Collecting with the last known settings';
const OUTDATED = 'the primary refuses this collector. Collecting with the last known settings';
const NONSENSE = 'the primary sent an impossible answer. Collecting with the last known settings';
const UNWRITABLE = 'the disk of the outbox is full or cannot be written. New settings from the primary are not stored';

/** Returns the size of the outbox on disk, including SQLite's write-ahead log. */
export const measureSize = (path: string): number =>
  ['', '-wal'].reduce((sum, end) => sum + (statSync(`${path}${end}`, { throwIfNoEntry: false })?.size ?? 0), 0);

export type CollectorParts = { intake: OutboxIntake; collector: Collector; gate: Gate; tokens: TokenCheck };

/**
 * Chooses the message for the log if the primary gave no usable response. Hits are still accepted, with the earlier
 * settings.
 */
function describeSilence(error: unknown): string {
  if (isStorageError(error)) return UNWRITABLE;
  if (error instanceof Nonsense) return NONSENSE;
  return error instanceof Refusal ? OUTDATED : AWAY;
}

/**
 * Waits for the first response of the primary. A new collector has no settings, so it must wait. A restarted collector
 * has settings, and continues without a response. Returns false if `stop` was aborted.
 */
export async function meet(db: Db, ask: () => Promise<unknown>, log: Log, stop: AbortSignal): Promise<boolean> {
  for (let tries = 0; !stop.aborted; tries++) {
    try {
      await ask();
      return true;
    } catch (error) {
      const isKnown = findSender(db).engine !== '';
      if (error instanceof Refusal && !isKnown) throw error;
      if (error instanceof UnknownCollector) {
        forgetPrimary(db);
        removeAllSalts(db);
        db.emptyWal();
        throw new Refusal(error.message, UNUSABLE);
      }
      const event = isKnown ? describeSilence(error) : 'the primary does not answer. Waiting for it';
      if (tries === 0) log(event, { message: (error as Error).message });
      if (isKnown) return true;
      await pause(EVERY_MS, undefined, { signal: stop }).catch(() => {});
    }
  }
  return false;
}

/** True if all hits are on the servers. The collector can then be retired without loss. */
const isEmpty = (db: Db, intake: OutboxIntake | undefined): boolean =>
  (intake?.countWaiting() ?? 0) === 0 && findFirstWaiting(db) === undefined;

/**
 * Builds functions that send reports to the primary. The first report is sent before the intake of hits exists. So the
 * figures of the first report are read from the outbox. `setParts` adds the intake later.
 */
export function buildReporter(
  { db, path }: Outbox,
  url: string,
  secret: string,
  { wall, clock, random }: { wall: Clock; clock: PrimaryClock; random: Random },
) {
  const run = random(8).toString('hex');
  let parts: CollectorParts | undefined;
  let heardAt: number | undefined;
  /**
   * The time of the last report that the primary answered, in seconds. The next report lists what happened since then:
   * the last request of a browser for each site (`seen`), and the tokens that were used. If a report fails, this time
   * stays, and the next report lists these requests and tokens again.
   */
  let unreportedSince = seconds(clock);
  return {
    setParts(own: CollectorParts): void {
      parts = own;
    },
    async ask(): Promise<HeardAnswer> {
      const now = seconds(clock);
      const visitors = findUpkeep(db, 'visitors') ?? null;
      const parcelAt = parts?.intake.findParcelTime() ?? null;
      const behind = parts?.intake.listBehind() ?? [];
      const progress = parts?.intake.readProgress() ?? readFirstProgress(db, clock);
      const cuts = parts?.intake.listCuts() ?? [];
      const hold = parts?.intake.findHold();
      const closed = parts?.gate.closed() ?? null;
      const outbox = { parcels: countParcels(db), isEmpty: isEmpty(db, parts?.intake), bytes: measureSize(path) };
      const sent = { ...progress, cuts, hold, parcelAt, ...outbox, behind };
      const status = { version, run, now: seconds(wall), ...sent, visitors, closed, search: findOwnSearch(db) };
      const seen = parts?.collector.requestsSince(unreportedSince) ?? [];
      const isDrained = (parts?.gate.isShut('retiring') ?? false) && outbox.isEmpty;
      const tokens = parts?.tokens.listUsedSince(unreportedSince) ?? [];
      const heard = await exchange({ url, secret, db, clock }, { status, seen, tokens, isDrained });
      heardAt = clock.tick();
      unreportedSince = now;
      return heard;
    },
    findSilence: () => (heardAt === undefined ? undefined : (clock.tick() - heardAt) / 1000),
  };
}

/** Builds `look`, which sends a report to the primary and applies the response. `look` is called once a second. */
export function buildListener(
  db: Db,
  ask: () => Promise<HeardAnswer>,
  { intake, collector, gate }: CollectorParts,
  { wall, clock, log }: { wall: Clock; clock: PrimaryClock; log: Log },
) {
  const failures = watchTrouble(log, clock, 'exchanges with the primary failed, in all');

  /**
   * Refuses new hits and sends no hits, because the primary refuses this collector or has retired it. Also deletes all
   * salts. Without the primary, the collector may not know when their days are over. If a later response accepts the
   * collector again, the collector gets the salts again, and continues. Example: a wrong backup was restored on the
   * primary, and then the right one.
   */
  async function leave(message: string): Promise<void> {
    const event = gate.shut('refused');
    if (event === undefined) return;
    intake.settle();
    const first = findFirstWaiting(db);
    log(event, { message, unsent: first ? `what was taken since ${iso(first.at)}` : 'nothing' });
    forgetPrimary(db);
    collector.resalt(removeAllSalts(db));
    await intake.stopSending();
  }

  async function takeOver({ changed, removed, isMoved, now, isRetiring }: HeardAnswer): Promise<void> {
    failures.worked();
    if (changed.has('salt')) collector.resalt(removed);
    const skew = seconds(wall) - Math.floor(now / 1000);
    if (Math.abs(skew) > MOST_SKEW)
      failures.failed('skew', 'the clock of this machine is not that of the primary', { seconds: skew });
    if (isMoved) {
      log('the servers of the cluster have changed');
      await intake.turnTo(findReach(db));
    } else if (changed.has('cluster_server') && intake.followServers()) log('the servers of the cluster have changed');
    gate.open('refused');
    const event = isRetiring ? gate.shut('retiring') : undefined;
    if (event !== undefined) {
      log(event);
      intake.settle();
    }
  }

  async function look(): Promise<void> {
    try {
      await takeOver(await ask());
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof UnknownCollector) return await leave(message);
      if (intake.isRetired()) return await leave('a ClickHouse server says that this collector is retired');
      const event = describeSilence(error);
      failures.failed(message, event, { message });
      if (!clock.isKnown()) failures.failed('clock', REASONS.clock, {});
    }
  }
  return { look, settle: failures.settle };
}
