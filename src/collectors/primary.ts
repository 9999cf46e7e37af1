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
import { Answer, MOST_TOLD, PATH, type Report } from './messages.ts';

const PATIENCE_MS = 10_000;

/** What it knows of some 300,000 sites. */
const LONGEST_ANSWER = 128 * 1024 * 1024;

/** The primary does not know the secret, or only together with another outbox. */
export class Unknown extends Error {}

/** The primary says what cannot be; nothing of it is kept. */
export class Nonsense extends Error {}

/** What a primary answers, checked. */
function readAnswer(url: string, text: string): Answer {
  try {
    return v.parse(Answer, JSON.parse(text));
  } catch (error) {
    throw new Nonsense(`${url}: ${(error as Error).message.slice(0, 300)}`);
  }
}

type Told = Pick<Report, 'status' | 'seen' | 'isDrained'>;

/** What the primary said, and which tables it changed. */
export type Heard = { changed: ReadonlySet<Mirrored>; isMoved: boolean; now: number; isRetiring: boolean };

/** What a primary says when it refuses a secret; undefined where something in between answers. */
function reasonIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text);
    return error.code === 'unauthenticated' ? String(error.message) : undefined;
  } catch {
    return undefined;
  }
}

type Deps = { url: string; secret: string; db: Db; clock: Pick<PrimaryClock, 'tick' | 'heard'> };

async function post(
  { url, secret, clock }: Deps,
  report: Report,
): Promise<{ answer: Answer; asked: number; came: number }> {
  const asked = clock.tick();
  const response = await fetch(`${url}${PATH}`, {
    method: 'POST',
    // What it leads to is another URL, which --primary should name.
    redirect: 'manual',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(report),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error) => {
    throw new Error(`${url}: ${describeFailure(error)}`);
  });
  const came = clock.tick();
  const text = await readText(response, LONGEST_ANSWER);
  const reason = response.status === 401 ? reasonIn(text) : undefined;
  if (reason !== undefined) throw new Unknown(`${url} refuses this collector: ${reason}`);
  if (response.status === 404)
    throw new Refusal(
      `${url} is no primary for collectors of this version; start it with --engine, and update it first`,
    );
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return { answer: readAnswer(url, text), asked, came };
}

/** Which servers there are, and where. */
const listPlaces = (db: Db): string =>
  JSON.stringify(listServers(db).map(({ url, shard, replica }) => [url, shard, replica]));

/**
 * Tells the primary how this collector is, and keeps what it answers. What was told is forgotten only when the primary has it, so
 * that it may tell twice, and the primary counts it once.
 */
export async function exchange(deps: Deps, { status, seen, isDrained }: Told): Promise<Heard> {
  const { db, clock } = deps;
  const { name: outbox, tag: known, engine: before } = findSender(db);
  const tag = hasOwnSalts(db) ? '' : known;
  const placesBefore = listPlaces(db);
  const outages = listAllOutages(db).slice(0, MOST_TOLD.outages);
  const taken = listUntold(db, MOST_TOLD.taken);
  const report: Report = {
    ...{ status, outbox, taken, tag },
    outages: outages.map(({ from, to, reason }): Outage => ({ from, to, reason })),
    seen: seen.slice(-MOST_TOLD.seen),
    isDrained: isDrained && outages.length < MOST_TOLD.outages && taken.length < MOST_TOLD.taken,
  };
  const { answer, asked, came } = await post(deps, report);
  const { number, now, least, isRetiring, settings } = answer;
  clock.heard({ now, asked, came });
  const lastMonth = formatMonth(now / 1000 - 31 * DAY);
  const changed = db.write(() => {
    // An outbox that is new begins above everything that may be sealed already, whatever its clock says.
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
  // What a server has may change while the same ones are there.
  const isMoved = settings !== undefined && (settings.engine !== before || listPlaces(db) !== placesBefore);
  return { changed, isMoved, now, isRetiring };
}
