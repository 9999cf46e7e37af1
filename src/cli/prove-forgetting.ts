// The command `daybook prove-forgetting` makes a proof: it counts a made-up visitor, and lets the day end. It searches
// for traces of this visitor, before the day ends and afterwards. The traces are the IP address, user agent, salt and
// visitor code.
//
// Invariant: the exit code is 0 only if the search after the end of the day could read everything and found no trace.
//
// Example: the command prints "log 0.1 MB nothing found" if the log has no trace. With --serve, the command is a server
// or collector that the proof examines (forgetting/programs.ts). When the proof asks, this server or collector moves
// its clock ahead, or writes its memory to files.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { dumpMemory } from '../forgetting/dump-memory.ts';
import { watchThreads } from '../forgetting/dump-threads.ts';
import type { Place, SearchedPlace, ServerKind } from '../forgetting/places.ts';
import { DUMPS, endWithProof, NEXT_DAY } from '../forgetting/programs.ts';
import { type Proof, proveForgetting } from '../forgetting/prove.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { Refusal } from '../lib/errors.ts';
import { writeCoded } from '../lib/http/fault.ts';
import type { Clock } from '../lib/time.ts';
import { SERVER_OPTIONS } from '../options.ts';
import type { Db } from '../store/db.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import { collect } from './collect.ts';
import { type Command, clock, type Invocation, type Io, now, withStore } from './command.ts';
import { serve } from './serve.ts';

const NAMES: Record<Place, string> = {
  file: 'database file',
  wal: 'write-ahead log',
  backups: 'backups',
  outbox: 'outbox',
  open_days: 'copy of open days',
  log: 'log',
  memory: 'memory in use',
  threads: 'memory of threads',
  tables: 'tables',
  system_logs: 'system logs',
};

const SERVER_NAMES: Record<ServerKind, string> = {
  alone: '',
  primary: 'primary',
  collector: 'collector',
  clickhouse: 'ClickHouse',
};

const TRACE_NAMES = { address: 'IP address', agent: 'user agent', salt: 'salt', code: 'visitor code' } as const;

function writePlace({ kind, number, place, bytes, found, isUnread = false }: SearchedPlace): string {
  const nothing = isUnread ? 'not all could be read' : 'nothing found';
  const words = found.length === 0 ? nothing : `found: ${found.map((trace) => TRACE_NAMES[trace]).join(', ')}`;
  const server = kind === 'clickhouse' ? `${SERVER_NAMES[kind]} ${number}` : SERVER_NAMES[kind];
  const on = kind === 'alone' ? '' : server.padEnd(14);
  return `  ${on}${NAMES[place].padEnd(17)} ${writeSize(bytes)}  ${words}`;
}

/**
 * Writes the size of a place, such as a log. Sizes below 50 kB are in kilobytes, because "0.0 MB" would say nothing.
 */
const writeSize = (bytes: number): string =>
  bytes < 50_000 ? `${(bytes / 1e3).toFixed(1).padStart(6)} kB` : `${(bytes / 1e6).toFixed(1).padStart(6)} MB`;

async function prove(invocation: Invocation): Promise<void> {
  const { flags, io, config } = invocation;
  if (flags.serve !== undefined) return serveProof(invocation, flags.serve);
  const { engine } = config;
  io.explain(
    engine === undefined
      ? 'a server on a new file counts a made-up visitor, and its day ends. This takes up to three minutes'
      : 'a server and a collector on a new database of the cluster count a made-up visitor, and the day ends. This takes up to six minutes',
  );
  const stopping = new AbortController();
  io.onStop(() => stopping.abort());
  const proof = await proveForgetting({
    ...{ clock, random: randomBytes, engine, signal: stopping.signal },
    environment: pickAuthority(io.environment),
  });
  if (existsSync(config.db)) await withStore(config, (db) => noteProof(db, proof, now()));
  const { before, after, isForgotten } = proof;
  io.print('before midnight, while the day is open:');
  for (const one of before) io.print(writePlace(one));
  io.print(`${engine === undefined ? 'two minutes after midnight' : 'after midnight'}, sealed and backed up:`);
  for (const one of after) io.print(writePlace(one));
  if (!isForgotten) throw new Refusal('the visitor was not forgotten. Please report this as a vulnerability');
  const unread = after.filter(({ isUnread }) => isUnread).map(({ place }) => place);
  if (unread.length > 0) throw new Refusal(unread.includes('system_logs') ? UNREAD_LOGS : UNREAD);
  io.print('forgotten: no IP address, user agent, salt or visitor code was found');
}

/**
 * Picks the operator's certificate authority. The server and the collector of the proof need it for ClickHouse servers
 * that use its certificates.
 */
const pickAuthority = ({ NODE_EXTRA_CA_CERTS }: Io['environment']): Record<string, string> =>
  NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };

const UNREAD = 'not complete: nothing was found, but not all could be read. Run the proof again';
const UNREAD_LOGS =
  'not complete: nothing was found, but the ClickHouse user may not read the logs of ClickHouse. docs/cluster.md has the statement that allows it';

/** Notes the result of a proof. The page /privacy shows it (forms/privacy-page.ts). */
export function noteProof(db: Db, { after, isForgotten }: Pick<Proof, 'after' | 'isForgotten'>, at: number): void {
  const bytes = after.reduce((sum, one) => sum + one.bytes, 0);
  const unread = after.filter(({ isUnread }) => isUnread);
  const places = (isForgotten ? after : after.filter(({ found }) => found.length > 0)).map(codePlace);
  const result = !isForgotten
    ? coded('proof_failed', { places })
    : unread.length > 0
      ? coded('proof_incomplete', { bytes, places, unread: unread.map(codePlace) })
      : coded('proof_fine', { bytes, places });
  noteUpkeep(db, 'proof', { at, fine: isForgotten && unread.length === 0, words: writeCoded(result) });
}

/**
 * Names a searched place, such as a log. On a cluster, the text also names the machine that the place is on, such as
 * "ClickHouse server 2". The text contains no host name, because everybody may read the page /privacy.
 */
function codePlace({ kind, number, place, bytes }: SearchedPlace): Coded {
  const named = { place: [coded(`place_${place}`)], bytes };
  if (kind === 'alone') return coded('place_searched', named);
  return coded('place_searched_on', { ...named, server: [coded(`server_${kind}`, { number })] });
}

async function serveProof(invocation: Invocation, folder: string): Promise<void> {
  endWithProof();
  let ahead = 0;
  const threads = watchThreads();
  const moved: Clock = { ...clock, now: () => clock.now() + ahead };
  const obey = async (stopped: AbortSignal): Promise<void> => {
    while (!stopped.aborted) {
      await take(join(folder, NEXT_DAY), async (text) => {
        ahead = Number(text) * 1000;
      });
      for (const name of DUMPS) {
        await take(join(folder, name), async () => {
          dumpMemory(folder);
          await threads.dump(folder);
        });
      }
      await pause(LOOK_MS, undefined, { signal: stopped }).catch(() => {});
    }
  };
  const isCollector = invocation.config.primary !== undefined;
  if (isCollector) await collect(invocation, { clock: moved, meanwhile: obey });
  else await serve(invocation, { clock: moved, meanwhile: (_, stopped) => obey(stopped) });
}

const LOOK_MS = 100;

/** If the file exists, runs `act` with its text, and deletes the file. The proof asks for actions with such files. */
async function take(path: string, act: (text: string) => Promise<void>): Promise<void> {
  if (!existsSync(path)) return;
  await act(readFileSync(path, 'utf8'));
  unlinkSync(path);
}

export const forgettingCommands: Command[] = [
  {
    name: 'prove-forgetting',
    args: [],
    summary: 'Count a made-up visitor, let the day end, and search everything for traces of the visitor',
    settings: SERVER_OPTIONS,
    flags: { serve: { value: 'FOLDER', help: 'be the server of a proof. Only the command itself uses this' } },
    isUntimed: true,
    run: prove,
  },
];
