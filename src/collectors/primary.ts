// Sends the report of a collector to the primary. Stores the response, such as changed settings, in the collector's
// file.
//
// Invariant: counts and outages are deleted only after the response to their report. A count may therefore be reported
// twice, but the primary does not add it again. A response with impossible values changes nothing.
//
// Example: the response to a report does not arrive. The next report says again that site 7 has 300 hits this month.
// The primary already knows these 300 hits, and adds nothing. touch.ts calls `exchange`.
import * as v from 'valibot';
import type { RemovedSalt } from '../collect/removed-salts.ts';
import { Refusal } from '../lib/errors.ts';
import { describeFailure, readText } from '../lib/http/response.ts';
import { DAY, formatMonth } from '../lib/time.ts';
import { hasOwnSalts, type Mirrored, setMirror } from '../store/cluster/copied-tables.ts';
import { changeSender, findSender, setSequence } from '../store/cluster/outbox-sender.ts';
import { listUntold, noteTold, removeTakenBefore } from '../store/cluster/outbox-taken.ts';
import type { Db } from '../store/db.ts';
import { listAllOutages, type Outage, removeOutage } from '../store/server/outages.ts';
import type { PrimaryClock } from './clock.ts';
import { type CollectorReport, MOST_REPORTED, PATH, PrimaryAnswer } from './messages.ts';

const PATIENCE_MS = 10_000;

/**
 * The maximum size of a response, so that a wrong server cannot fill the memory. A response with 300,000 sites is
 * smaller.
 */
const LONGEST_ANSWER = 128 * 1024 * 1024;

/**
 * Thrown if the primary refuses the secret or the outbox of this collector, for example because the operator retired
 * this collector.
 */
export class UnknownCollector extends Error {}

/** Thrown if a response has impossible values, such as an unknown time zone. Nothing of such a response is stored. */
export class Nonsense extends Error {}

type OwnStatus = Pick<CollectorReport, 'status' | 'seen' | 'tokens' | 'isDrained'>;

/**
 * What an answer of the primary has changed. `changed` names the collector's tables with new rows, such as `salt`. With
 * `isMoved`, the cluster has another URL than before, and new connections are needed. `removed` lists the salts that
 * the answer deleted from the collector. `now` is the primary's time in milliseconds.
 */
export type HeardAnswer = {
  changed: ReadonlySet<Mirrored>;
  removed: readonly RemovedSalt[];
  isMoved: boolean;
  now: number;
  isRetiring: boolean;
};

type Deps = { url: string; secret: string; db: Db; clock: Pick<PrimaryClock, 'tick' | 'heard'> };

/**
 * Sends a report of this collector to the primary. Stores the content of the response: settings, and the number of this
 * collector.
 */
export async function exchange(deps: Deps, { status, seen, tokens, isDrained }: OwnStatus): Promise<HeardAnswer> {
  const { db, clock } = deps;
  const { name: outbox, tag: known, engine: before } = findSender(db);
  const tag = hasOwnSalts(db) ? '' : known;
  const outages = listAllOutages(db).slice(0, MOST_REPORTED.outages);
  const taken = listUntold(db, MOST_REPORTED.taken);
  const report: CollectorReport = {
    ...{ status, outbox, taken, tag },
    outages: outages.map(({ from, to, reason }): Outage => ({ from, to, reason })),
    seen: seen.slice(-MOST_REPORTED.seen),
    tokens: tokens.slice(-MOST_REPORTED.tokens),
    isDrained: isDrained && outages.length < MOST_REPORTED.outages && taken.length < MOST_REPORTED.taken,
  };
  const { answer, asked, came } = await post(deps, report);
  const { number, now, least, isRetiring, settings } = answer;
  clock.heard({ now, asked, came });
  const lastMonth = formatMonth(now / 1000 - 31 * DAY);
  const { changed, removed } = db.write(() => {
    // Row numbers are made from the time. After a day is sealed, its rows up to a certain number are deleted. If the
    // clock of a new collector was behind, its new rows would be deleted. For this reason, its numbers begin above the
    // numbers of all sealed rows.
    if (before === '') setSequence(db, Math.max(findSender(db).seq, least));
    for (const { id } of outages) removeOutage(db, id);
    noteTold(db, taken);
    removeTakenBefore(db, lastMonth);
    const set = settings ? setMirror(db, settings.mirror) : { changed: new Set<Mirrored>(), removed: [] };
    const { number: numberBefore, engine } = findSender(db);
    if (settings || number !== numberBefore)
      changeSender(db, { number, engine: settings?.engine ?? engine, tag: answer.tag });
    return set;
  });
  const isMoved = settings !== undefined && settings.engine !== before;
  return { changed, removed, isMoved, now, isRetiring };
}

function readAnswer(url: string, text: string): PrimaryAnswer {
  try {
    return v.parse(PrimaryAnswer, JSON.parse(text));
  } catch (error) {
    throw new Nonsense(`${url}: ${(error as Error).message.slice(0, 300)}`);
  }
}

/**
 * Returns the primary's reason for refusing the secret or the outbox. Returns undefined if another program, such as a
 * proxy, answered with status 401. Such an answer must not make the collector refuse hits.
 */
function readReason(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text);
    return error.code === 'unauthenticated' ? String(error.message) : undefined;
  } catch {
    return undefined;
  }
}

async function post(
  { url, secret, clock }: Deps,
  report: CollectorReport,
): Promise<{ answer: PrimaryAnswer; asked: number; came: number }> {
  const asked = clock.tick();
  const response = await fetch(`${url}${PATH}`, {
    method: 'POST',
    // Redirects are not followed, so that the secret is sent only to the server that the option --primary names.
    redirect: 'manual',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(report),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error) => {
    throw new Error(`${url}: ${describeFailure(error)}`);
  });
  const came = clock.tick();
  const text = await readText(response, LONGEST_ANSWER);
  const reason = response.status === 401 ? readReason(text) : undefined;
  if (reason !== undefined) throw new UnknownCollector(`${url} refuses this collector: ${reason}`);
  if (response.status === 404)
    throw new Refusal(
      `${url} is no primary for collectors of this version. Update it first, and start it with --engine`,
    );
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return { answer: readAnswer(url, text), asked, came };
}
