// The command `daybook prove-forgetting` searches for traces of a visitor after the day is over. The traces are the IP
// address, user agent, salt and code.
//
// Invariant: the exit code is 0 only if no trace was found.
//
// Example: the line "log 0.1 MB searched, nothing found". With --serve, the command is the server that the proof
// examines (forgetting/prove.ts). When the proof asks, this server moves its clock ahead or writes its memory to files.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { dumpMemory } from '../forgetting/dump-memory.ts';
import { watchThreads } from '../forgetting/dump-threads.ts';
import { DUMPS, NEXT_DAY, type Place, type Proof, proveForgetting } from '../forgetting/prove.ts';
import type { Searched } from '../forgetting/search.ts';
import { coded } from '../lang/coded.ts';
import { Refusal } from '../lib/errors.ts';
import { writeCoded } from '../lib/http/fault.ts';
import type { Clock } from '../lib/time.ts';
import { SERVER_OPTIONS } from '../options.ts';
import type { Db } from '../store/db.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import { type Command, clock, type Invocation, now, withStore } from './command.ts';
import { serve } from './serve.ts';

const NAMES: Record<Place, string> = {
  file: 'database file',
  wal: 'write-ahead log',
  backups: 'backups',
  log: 'log',
  memory: 'memory in use',
  threads: 'memory of threads',
};

const TRACE_NAMES = { address: 'IP address', agent: 'user agent', salt: 'salt', code: 'visitor code' } as const;

const writePlace = ({ place, bytes, found }: Searched<Place>): string => {
  const words = found.length === 0 ? 'nothing found' : `found: ${found.map((trace) => TRACE_NAMES[trace]).join(', ')}`;
  return `  ${NAMES[place].padEnd(17)} ${(bytes / 1e6).toFixed(1).padStart(6)} MB  ${words}`;
};

async function prove(invocation: Invocation): Promise<void> {
  const { flags, io, config } = invocation;
  if (flags.serve !== undefined) return serveProof(invocation, flags.serve);
  io.explain('a server on a new file counts a made-up visitor, and its day ends. This takes up to three minutes');
  const proof = await proveForgetting({ clock, random: randomBytes });
  if (existsSync(config.db)) await withStore(config, (db) => noteProof(db, proof, now()));
  const { before, after, isForgotten } = proof;
  io.print('before midnight, while the day is open:');
  for (const one of before) io.print(writePlace(one));
  io.print('two minutes after midnight, sealed and backed up:');
  for (const one of after) io.print(writePlace(one));
  if (!isForgotten) throw new Refusal('the visitor was not forgotten. Please report this as a vulnerability');
  io.print('forgotten: no IP address, user agent, salt or visitor code was found');
}

/** Notes the result of a proof. The page /privacy shows it (forms/privacy-page.ts). */
export function noteProof(db: Db, { after, isForgotten }: Pick<Proof, 'after' | 'isForgotten'>, at: number): void {
  const places = after.filter(({ found }) => isForgotten || found.length > 0);
  const values = {
    bytes: after.reduce((sum, { bytes }) => sum + bytes, 0),
    places: places.map(({ place, bytes }) => coded('place_searched', { place: [coded(`place_${place}`)], bytes })),
  };
  const result = isForgotten ? coded('proof_fine', values) : coded('proof_failed', values);
  noteUpkeep(db, 'proof', { at, fine: isForgotten, words: writeCoded(result) });
}

async function serveProof(invocation: Invocation, folder: string): Promise<void> {
  let ahead = 0;
  const threads = watchThreads();
  const moved: Clock = { ...clock, now: () => clock.now() + ahead };
  const obey = async (_: unknown, stopped: AbortSignal): Promise<void> => {
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
  await serve(invocation, { clock: moved, meanwhile: obey });
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
