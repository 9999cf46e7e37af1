// Proves that the program forgets a visitor. The proof counts a made-up visitor and lets the day end. Then it searches
// everything that the server has for traces of this visitor.
//
// Invariant: if the search does not work, the proof fails. So the first search is before the day ends, and must find
// the salt and the visitor code. The proof uses a new database file, so it does not read or send any data of the
// operator. On a cluster, it uses a new database on the same ClickHouse servers, and a collector of its own. A proof
// that is stopped leaves no files, database or process. A later proof removes the files and database of a killed proof.
//
// Example: a server on a new file counts a visit from 198.51.100.7. A client asks for statistics before each search, so
// the threads that answer queries have the visit in their caches. Then the clock of the server is set to two minutes
// after midnight. The server seals the day and makes a backup. Afterwards, no place has the IP address, user agent,
// salt or visitor code.
//
// The server is this program, in a process of its own (programs.ts). Tests: test/forgetting/prove.program.test.ts,
// test/cluster/forgetting-places.test.ts.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { computeVisitorCode } from '../collect/visitor.ts';
import { Refusal } from '../lib/errors.ts';
import { hashSecret, makeTokenSecret, type Random } from '../lib/secrets.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import { addCollector } from '../store/cluster/collectors.ts';
import type { Db } from '../store/db.ts';
import { openReader, openStore } from '../store/file/open-file.ts';
import { addToken } from '../store/people/tokens.ts';
import { addUser } from '../store/people/users.ts';
import { findUpkeep } from '../store/server/upkeep.ts';
import { findSalt, listSiteSalts } from '../store/sites/salts.ts';
import { addSite } from '../store/sites/sites.ts';
import { listFiles, type Place, type ProofServer, type SearchedPlace, searchAll } from './places.ts';
import { dumpPrograms, findUrl, moveClocks, type Program, startProgram, stopProgram, waitFor } from './programs.ts';
import { countVisit, DOMAIN, lookOn, makeAddress, makeAgent, OTHER_ADDRESS } from './proof-client.ts';
import { LOGGED_MS, openProofCluster, type ProofCluster } from './read-clickhouse.ts';
import { listNeedles, type Trace, type Visitor } from './search.ts';

export type Proof = {
  /** What the search found before the day ended. `after` is what it found afterwards. */
  before: SearchedPlace[];
  after: SearchedPlace[];
  isForgotten: boolean;
};

type Deps = {
  clock: Clock;
  random: Random;
  /** Stops the proof. */
  signal: AbortSignal;
  environment?: Record<string, string>;
  engine?: string | undefined;
};

/**
 * Runs the proof. It takes up to three minutes, because the server checks only once a minute whether a day is over. On
 * a cluster, it takes one or two minutes more until the visitor codes are deleted.
 */
export async function proveForgetting({ clock, random, signal, environment = {}, engine }: Deps): Promise<Proof> {
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const cluster = engine === undefined ? undefined : openProofCluster(engine, { folder, clock, random });
  const programs: Program[] = [];
  try {
    await cluster?.make();
    const furnished = furnish(folder, random, seconds(clock));
    const start = (own: string, settings: Record<string, string>): Program => {
      signal.throwIfAborted();
      const program = startProgram(own, { ...settings, ...environment });
      programs.push(program);
      return program;
    };
    const work = { folder, ...furnished, cluster, start, programs, clock, random, signal };
    // A stopped proof does not wait for the rest of the work, such as a long answer of ClickHouse. The work then fails
    // by itself, because its programs and files are gone.
    return await Promise.race([prove(work), failOn(signal)]);
  } catch (error) {
    throw signal.aborted ? new Refusal('the proof was stopped, so it has no result') : error;
  } finally {
    await Promise.all(programs.map(stopProgram));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    await cluster?.remove();
  }
}

const PREFIX = 'daybook-proof-';

/**
 * Removes the folders of proofs that were killed. The name of a folder has the id of the process that made it. A folder
 * stays if that process still runs, or if another user made the folder.
 */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const maker = name.startsWith(PREFIX) ? /^\d+(?=-)/.exec(name.slice(PREFIX.length))?.[0] : undefined;
    if (maker === undefined || isRunning(Number(maker))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Another user made the folder. The proof does not need its removal.
    }
  }
}

/** True if a process runs, also one of another user. */
function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const failOn = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

type Furnished = { siteId: number; token: string; secret: string };
type Work = Furnished & {
  folder: string;
  cluster: ProofCluster | undefined;
  start: (folder: string, settings: Record<string, string>) => Program;
  programs: readonly Program[];
  clock: Clock;
  random: Random;
  signal: AbortSignal;
};

async function prove(work: Work): Promise<Proof> {
  const { folder, siteId, token, cluster, programs, clock, random, signal } = work;
  const { url, urls } = await startAll(work);
  const [address, agent] = [makeAddress(random), makeAgent(random)];
  for (const one of urls) await countVisit(one, address, agent);
  const { salt, day } = await waitFor(programs, 'the visit has a salt', () => readSalt(folder, siteId));
  const visitor: Visitor = { address, agent, salt, code: computeVisitorCode(salt, { siteId, address, agent }) };
  const needles = listNeedles(visitor);
  const search = async (withLogs = false) => searchAll(await listServers(work, withLogs), needles);
  const stores: Place[] = cluster ? ['tables'] : ['file', 'wal'];
  await waitFor(programs, 'the visit is stored', async () => hasCode(await search(), stores));
  const report = `${url}/api/v1/sites/${siteId}/stats/overview`;
  const before = await searchBefore(programs, search, async () => clearInterval(await lookOn(report, token)));
  removeDumps(programs);
  const looking = await lookOn(report, token);
  moveClocks(programs, (day + 1) * DAY + SETTLED_SECONDS - seconds(clock));
  await waitFor(programs, 'the day is sealed and backed up', () => isOver(folder, siteId, day));
  if (cluster) {
    // Without a visit on the new day, the primary would copy no day from ClickHouse, and no query thread would run.
    await countVisit(url, OTHER_ADDRESS, agent.replace(/ proof-.*/, ''));
    await settle(search, signal);
  }
  clearInterval(looking);
  await dumpPrograms(programs, 'dump-again');
  const after = await search(true);
  return { before, after, isForgotten: after.every(({ found }) => found.length === 0) };
}

/**
 * Searches while the day is open. On a cluster, ClickHouse answers the first queries. Meanwhile, the primary copies the
 * day into a local file, which its query threads read. So the search is repeated until a query thread has the visitor
 * code.
 */
async function searchBefore(
  programs: readonly Program[],
  search: () => Promise<SearchedPlace[]>,
  look: () => Promise<void>,
): Promise<SearchedPlace[]> {
  for (let tries = 1; ; tries++) {
    await look();
    await dumpPrograms(programs, 'dump');
    const before = await search();
    if (hasCode(before, ['threads']) || tries === MOST_TRIES) {
      assertAble(before);
      return before;
    }
    removeDumps(programs);
  }
}

const MOST_TRIES = 20;

/** The time to which the clock is set, in seconds after midnight. A day is sealed one minute after its end. */
const SETTLED_SECONDS = 120;

/** Starts the server, and on a cluster a collector. Gives the URLs to which visits are sent. */
async function startAll({ folder, secret, cluster, start }: Work): Promise<{ url: string; urls: string[] }> {
  const url = await findUrl(start(folder, cluster ? { DAYBOOK_ENGINE: cluster.engine } : {}));
  if (!cluster) return { url, urls: [url] };
  const [own, file] = [join(folder, 'collector'), join(folder, 'secret')];
  writeFileSync(file, secret, { mode: 0o600 });
  const outbox = join(own, 'daybook.db.outbox');
  const settings = { DAYBOOK_PRIMARY: url, DAYBOOK_SECRET_FILE: file, DAYBOOK_OUTBOX: outbox };
  return { url, urls: [url, await findUrl(start(own, settings))] };
}

/**
 * Lists the servers to search. On a cluster, the data of the ClickHouse servers is first copied into files, at each
 * call again.
 */
async function listServers({ folder, cluster }: Work, withLogs: boolean): Promise<ProofServer[]> {
  if (!cluster) return [{ kind: 'alone', number: 1, folder }];
  return [
    { kind: 'primary', number: 1, folder },
    { kind: 'collector', number: 1, folder: join(folder, 'collector') },
    ...(await cluster.read({ withLogs })),
  ];
}

function furnish(folder: string, random: Random, now: number): Furnished {
  const { db, close } = openStore(join(folder, 'daybook.db'));
  try {
    const { id: userId, accountId } = addUser(db, { email: 'proof@example.com', password: null, now });
    const [secret, collectorSecret] = [makeTokenSecret(random), makeTokenSecret(random)];
    const { id } = addToken(db, { userId, name: 'proof', abilities: ['read'], secret, now });
    db.write(() => addCollector(db, { name: 'proof', hash: hashSecret(collectorSecret), now }));
    const siteId = addSite(db, { accountId, domain: DOMAIN, timeZone: 'UTC', now });
    return { siteId, token: `${id}|${secret}`, secret: collectorSecret };
  } finally {
    close();
  }
}

function readFile<Answer>(folder: string, read: (db: Db) => Answer): Answer {
  const { db, close } = openReader(join(folder, 'daybook.db'));
  try {
    return read(db);
  } finally {
    close();
  }
}

const readSalt = (folder: string, siteId: number) =>
  readFile(folder, (db) => {
    const [first] = listSiteSalts(db, siteId);
    const salt = first && findSalt(db, siteId, first.day);
    return first && salt && { salt, day: first.day };
  });

const hasCode = (places: readonly SearchedPlace[], stores: readonly Place[]): boolean =>
  places.some(({ place, found }) => stores.includes(place) && found.includes('code'));

/** True if the salt of the day is deleted, the latest sealing reported no fault, and a backup was made. */
const isOver = (folder: string, siteId: number, day: number): boolean =>
  readFile(
    folder,
    (db) =>
      findSalt(db, siteId, day) === undefined &&
      findUpkeep(db, 'seal')?.fine === true &&
      findUpkeep(db, 'backup') !== undefined,
  );

const SETTLE_MS = 600_000;
const SETTLE_EVERY_MS = 5_000;

/**
 * Waits until a cluster has deleted the codes and salts of the sealed day. This takes one or two minutes. If something
 * is left after ten minutes, the proof goes on, and says what is left.
 */
async function settle(search: () => Promise<SearchedPlace[]>, signal: AbortSignal): Promise<void> {
  const isLeft = ({ found }: SearchedPlace) => found.includes('code') || found.includes('salt');
  for (let waited = 0; waited < SETTLE_MS && (await search()).some(isLeft); waited += SETTLE_EVERY_MS)
    await pause(SETTLE_EVERY_MS, undefined, { signal });
  await pause(LOGGED_MS, undefined, { signal });
}

/**
 * Removes the dumps (files with the memory of programs) after the first search. A thread may end before the second
 * search. The old dump of the thread would stay, and the search would find traces in it.
 */
function removeDumps(programs: readonly Program[]): void {
  for (const { folder } of programs)
    for (const path of [...listFiles(folder, 'memory'), ...listFiles(folder, 'threads')]) rmSync(path);
}

/**
 * Throws if the search has not found the salt and the visitor code. Both are stored while the day is open. The threads
 * that answer must have the visitor code too, and the outbox of a collector must have the salt. A search that does not
 * find them proves nothing.
 */
export function assertAble(before: readonly SearchedPlace[]): void {
  const found = new Set(before.flatMap((one) => one.found));
  const missed = new Set((['salt', 'code'] satisfies Trace[]).filter((trace) => !found.has(trace)));
  if (!hasCode(before, ['threads'])) missed.add('code');
  const isOfCollector = ({ kind, place }: SearchedPlace) => kind === 'collector' && place === 'outbox';
  if (before.some((one) => isOfCollector(one) && !one.found.includes('salt'))) missed.add('salt');
  if (missed.size > 0)
    throw new Refusal(`the search did not find the ${[...missed].join(' and the ')} before midnight`);
}
