// A collector asks its primary here: it sends a report and writes what the answer brings to its own file.
//
// Invariant: what was reported is forgotten only once the answer has come. So it may be reported twice, and the primary counts
// it once. An answer that cannot be true changes nothing.
//
// Example: the answer to a report is lost on its way. The next report says again that site 7 has 300 hits this month. The
// primary adds nothing.
//
// Called by touch.ts.
import * as v from 'valibot';
import { Refusal } from '../lib/errors.ts';
import { describeFailure, readText } from '../lib/http/response.ts';
import { DAY, formatMonth } from '../lib/time.ts';
import { listServers } from '../store/cluster/cluster-servers.ts';
import { hasOwnSalts, type Mirrored, setMirror } from '../store/cluster/copied-tables.ts';
import {
  changeSender,
  findSender,
  listUntold,
  noteTold,
  removeTakenBefore,
  setSequence,
} from '../store/cluster/outbox.ts';
import type { Db } from '../store/db.ts';
import { listAllOutages, type Outage, removeOutage } from '../store/server/outages.ts';
import type { PrimaryClock } from './clock.ts';
import { type CollectorReport, MOST_REPORTED, PATH, PrimaryAnswer } from './messages.ts';

const PATIENCE_MS = 10_000;

/** An answer has the settings of 300,000 sites at most. */
const LONGEST_ANSWER = 128 * 1024 * 1024;

/** The primary does not know the secret, or knows it with another outbox. */
export class UnknownCollector extends Error {}

/** The answer of the primary cannot be true. Nothing of it is kept. */
export class Nonsense extends Error {}

type OwnStatus = Pick<CollectorReport, 'status' | 'seen' | 'isDrained'>;

/** What an answer brought, and which tables it changed. */
export type HeardAnswer = { changed: ReadonlySet<Mirrored>; isMoved: boolean; now: number; isRetiring: boolean };

type Deps = { url: string; secret: string; db: Db; clock: Pick<PrimaryClock, 'tick' | 'heard'> };

/** Reports the status of this collector to the primary, and keeps the answer. */
export async function exchange(deps: Deps, { status, seen, isDrained }: OwnStatus): Promise<HeardAnswer> {
  const { db, clock } = deps;
  const { name: outbox, tag: known, engine: before } = findSender(db);
  const tag = hasOwnSalts(db) ? '' : known;
  const placesBefore = describePlaces(db);
  const outages = listAllOutages(db).slice(0, MOST_REPORTED.outages);
  const taken = listUntold(db, MOST_REPORTED.taken);
  const report: CollectorReport = {
    ...{ status, outbox, taken, tag },
    outages: outages.map(({ from, to, reason }): Outage => ({ from, to, reason })),
    seen: seen.slice(-MOST_REPORTED.seen),
    isDrained: isDrained && outages.length < MOST_REPORTED.outages && taken.length < MOST_REPORTED.taken,
  };
  const { answer, asked, came } = await post(deps, report);
  const { number, now, least, isRetiring, settings } = answer;
  clock.heard({ now, asked, came });
  const lastMonth = formatMonth(now / 1000 - 31 * DAY);
  const changed = db.write(() => {
    // Rows of a new outbox get numbers above those of all sealed rows, even if its clock is behind.
    if (before === '') setSequence(db, Math.max(findSender(db).seq, least));
    for (const { id } of outages) removeOutage(db, id);
    noteTold(db, taken);
    removeTakenBefore(db, lastMonth);
    const tables = settings ? setMirror(db, settings.mirror) : new Set<Mirrored>();
    const { number: numberBefore, engine } = findSender(db);
    if (settings || number !== numberBefore)
      changeSender(db, { number, engine: settings?.engine ?? engine, tag: answer.tag });
    return tables;
  });
  // A change of a server's state does not move the cluster; a change of its URL or place does.
  const isMoved = settings !== undefined && (settings.engine !== before || describePlaces(db) !== placesBefore);
  return { changed, isMoved, now, isRetiring };
}

/** Checks the answer of a primary. */
function readAnswer(url: string, text: string): PrimaryAnswer {
  try {
    return v.parse(PrimaryAnswer, JSON.parse(text));
  } catch (error) {
    throw new Nonsense(`${url}: ${(error as Error).message.slice(0, 300)}`);
  }
}

/** Why a primary refuses a secret; undefined if something else answered. */
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
    // A redirection leads to another URL, and --primary should name that.
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
      `${url} is no primary for collectors of this version; start it with --engine, and update it first`,
    );
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return { answer: readAnswer(url, text), asked, came };
}

/** The servers and their places as one text, to be compared. */
const describePlaces = (db: Db): string =>
  JSON.stringify(listServers(db).map(({ url, shard, replica }) => [url, shard, replica]));
