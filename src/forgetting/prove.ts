// Proves that the program forgets a visitor. The proof counts a made-up visitor and lets the day end. Then it searches
// everything that the server has for traces of this visitor.
//
// Invariant: if the search itself does not work, the proof fails. So the first search is before the day ends, and must
// find the salt and the visitor code. The proof uses a new database file, so it does not read or send any data of the
// operator.
//
// Example: a server on a new file counts a visit from 198.51.100.7. A client asks for the statistics until each search,
// so the threads that answer have the visit in their caches. Then the clock of the server is set to two minutes after
// midnight. After the day is sealed and a backup is made, no place has the IP address, user agent, salt or visitor
// code.
//
// The server is this program, in a process of its own (cli/prove-forgetting.ts). Test:
// test/forgetting/prove.program.test.ts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { computeVisitorCode } from '../collect/visitor.ts';
import { findProgram } from '../embedded/program.ts';
import { Refusal } from '../lib/errors.ts';
import { makeTokenSecret, type Random } from '../lib/secrets.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { openReader, openStore } from '../store/file/open-file.ts';
import { addToken } from '../store/people/tokens.ts';
import { addUser } from '../store/people/users.ts';
import { findUpkeep } from '../store/server/upkeep.ts';
import { findSalt, listSiteSalts } from '../store/sites/salts.ts';
import { addSite } from '../store/sites/sites.ts';
import { countVisit, DOMAIN, lookOn, makeAddress, makeAgent } from './proof-client.ts';
import { listNeedles, type Needle, type Searched, searchPlace, type Trace, type Visitor } from './search.ts';

/** The places that are searched. Each has a pattern for the names of its files. */
const PLACES = {
  file: /^daybook\.db$/,
  wal: /^daybook\.db-(wal|shm)$/,
  backups: /^daybook\.db\.backups/,
  log: /^log$/,
  memory: /^memory-/,
  threads: /^thread-/,
} as const;
export type Place = keyof typeof PLACES;

export type Proof = {
  /** What the search found before the day ended. `after` is what it found afterwards. */
  before: Searched<Place>[];
  after: Searched<Place>[];
  isForgotten: boolean;
};

type Deps = { clock: Clock; random: Random; environment?: Record<string, string> };

/** Runs the proof. It takes up to three minutes, because the server checks only once a minute whether a day is over. */
export async function proveForgetting({ clock, random, environment = {} }: Deps): Promise<Proof> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-proof-'));
  try {
    const site = furnish(folder, random, seconds(clock));
    const server = startServer(folder, environment);
    try {
      return await prove({ folder, ...site, server, clock, random });
    } finally {
      await stopServer(server);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Furnished = { siteId: number; token: string };
type Work = Furnished & { folder: string; server: ChildProcess; clock: Clock; random: Random };

async function prove({ folder, siteId, token, server, clock, random }: Work): Promise<Proof> {
  const url = await waitFor(
    folder,
    server,
    'the server listens',
    () => /^listening on (\S+)/m.exec(readLog(folder))?.[1],
  );
  const [address, agent] = [makeAddress(random), makeAgent(random)];
  await countVisit(url, address, agent);
  const { salt, day } = await waitFor(folder, server, 'the visit has a salt', () => readSalt(folder, siteId));
  const visitor: Visitor = { address, agent, salt, code: computeVisitorCode(salt, { siteId, address, agent }) };
  const needles = listNeedles(visitor);
  await waitFor(folder, server, 'the visit is stored', () => isStored(folder, needles));
  const report = `${url}/api/v1/sites/${siteId}/stats/overview`;
  await dump(folder, server, await lookOn(report, token), 'dump');
  const before = searchAll(folder, needles);
  assertAble(before);
  removeDumps(folder);
  const looking = await lookOn(report, token);
  writeFileSync(join(folder, NEXT_DAY), String((day + 1) * DAY + SETTLED_SECONDS - seconds(clock)));
  await waitFor(folder, server, 'the day is sealed and backed up', () => isOver(folder, siteId, day));
  await dump(folder, server, looking, 'dump-again');
  const after = searchAll(folder, needles);
  return { before, after, isForgotten: after.every(({ found }) => found.length === 0) };
}

/**
 * The names of files with which the proof tells its server what to do. The server deletes each file when it has done
 * its work.
 */
export const NEXT_DAY = 'next-day';
export const DUMPS = ['dump', 'dump-again'] as const;

/** The time to which the clock is set, in seconds after midnight. A day is sealed one minute after its end. */
const SETTLED_SECONDS = 120;

function furnish(folder: string, random: Random, now: number): Furnished {
  const { db, close } = openStore(join(folder, 'daybook.db'));
  try {
    const { id: userId, accountId } = addUser(db, { email: 'proof@example.com', password: null, now });
    const secret = makeTokenSecret(random);
    const { id } = addToken(db, { userId, name: 'proof', abilities: ['read'], secret, now });
    return { siteId: addSite(db, { accountId, domain: DOMAIN, timeZone: 'UTC', now }), token: `${id}|${secret}` };
  } finally {
    close();
  }
}

/**
 * Starts the server of the proof. The server gets no settings of the operator, so it sends no e-mails and no messages.
 */
function startServer(folder: string, environment: Record<string, string>): ChildProcess {
  const [file, ...words] = findProgram();
  const log = openSync(join(folder, 'log'), 'a');
  const server = spawn(file, [...words, 'prove-forgetting', '--serve', folder], {
    env: {
      ...{ DAYBOOK_DB: join(folder, 'daybook.db'), DAYBOOK_HOST: '127.0.0.1', DAYBOOK_PORT: '0' },
      ...{ DAYBOOK_TRUSTED_PROXIES: '127.0.0.1', DAYBOOK_RATE_LIMIT: '0', TMPDIR: tmpdir() },
      ...environment,
    },
    stdio: ['ignore', log, log],
    windowsHide: true,
  });
  closeSync(log);
  return server;
}

/** Tells whether a process has ended. A process that was killed has a signal instead of an exit code. */
const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function stopServer(server: ChildProcess): Promise<void> {
  if (hasEnded(server)) return;
  server.kill();
  await once(server, 'exit');
}

const readLog = (folder: string): string => readFileSync(join(folder, 'log'), 'utf8');

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

const isStored = (folder: string, needles: readonly Needle[]): boolean =>
  searchFiles(folder, 'file', needles).found.includes('code') ||
  searchFiles(folder, 'wal', needles).found.includes('code');

/** True if the salt of the day is deleted, all days are sealed, and a backup was made. */
const isOver = (folder: string, siteId: number, day: number): boolean =>
  readFile(
    folder,
    (db) =>
      findSalt(db, siteId, day) === undefined &&
      findUpkeep(db, 'seal')?.fine === true &&
      findUpkeep(db, 'backup') !== undefined,
  );

/**
 * Lets the server write its memory. A thread cannot answer meanwhile, and the server ends a thread that does not
 * answer. So `looking`, which asks for statistics, is stopped first. Otherwise, a slow machine would never finish.
 */
async function dump(
  folder: string,
  server: ChildProcess,
  looking: NodeJS.Timeout,
  name: (typeof DUMPS)[number],
): Promise<void> {
  clearInterval(looking);
  writeFileSync(join(folder, name), '');
  await waitFor(folder, server, 'the memory is written', () => !existsSync(join(folder, name)));
}

/** Searches all files in the folder of a server. `PLACES` sorts the files by what they are. */
export const searchAll = (folder: string, needles: readonly Needle[]): Searched<Place>[] =>
  (Object.keys(PLACES) as Place[]).map((place) => searchFiles(folder, place, needles));

function searchFiles(folder: string, place: Place, needles: readonly Needle[]): Searched<Place> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return searchPlace(
    place,
    paths.filter((path) => PLACES[place].test(path.slice(folder.length + 1))),
    needles,
  );
}

/**
 * Removes the dumps (files with the server's memory) after the first search. Otherwise the file of a thread that has
 * ended since would stay, and the second search would find traces in it.
 */
function removeDumps(folder: string): void {
  for (const name of readdirSync(folder))
    if (PLACES.memory.test(name) || PLACES.threads.test(name)) rmSync(join(folder, name));
}

/**
 * Throws if the search has not found the salt and the visitor code. Both are stored while the day is open. The threads
 * that answer must have the visitor code too. A search that does not find them proves nothing.
 */
function assertAble(before: readonly Searched<Place>[]): void {
  const found = new Set(before.flatMap((one) => one.found));
  const missed = (['salt', 'code'] satisfies Trace[]).filter((trace) => !found.has(trace));
  const inThreads = before.find(({ place }) => place === 'threads')?.found ?? [];
  if (!inThreads.includes('code')) missed.push('code');
  if (missed.length > 0) throw new Refusal(`the search did not find the ${missed.join(' and the ')} before midnight`);
}

const PATIENCE_MS = 900_000;
const EVERY_MS = 200;

async function waitFor<Answer>(
  folder: string,
  server: ChildProcess,
  what: string,
  look: () => Answer | undefined | false,
): Promise<Answer> {
  for (let waited = 0; waited < PATIENCE_MS; waited += EVERY_MS) {
    if (hasEnded(server)) break;
    const answer = look();
    if (answer !== undefined && answer !== false) return answer;
    await pause(EVERY_MS);
  }
  throw new Refusal(`the proof waited in vain until ${what}. The log of its server:\n${readLog(folder)}`);
}
