// The programs of a proof: a server, and on a cluster also a collector. Each is this program, in a process of its own.
// A proof shows that the program forgets a visitor (prove.ts).
//
// Invariant: of the operator's settings, a program gets only the URLs of the cluster's servers and their certificate
// authority. So it sends no e-mails and no messages. If a program ends early, the proof fails, and its error has the
// log of that program. If the proof ends, its programs end too.
//
// Example: `startProgram` starts `daybook prove-forgetting --serve FOLDER`. The proof writes the file `next-day` into
// this folder, and the program moves its clock ahead (cli/prove-forgetting.ts). prove.ts uses this file.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findProgram } from '../embedded/program.ts';
import { Refusal } from '../lib/errors.ts';

/**
 * The names of files with which the proof tells a program what to do. The program does what a file asks for, and then
 * deletes this file.
 */
export const NEXT_DAY = 'next-day';
export const DUMPS = ['dump', 'dump-again'] as const;
export type Dump = (typeof DUMPS)[number];

/** A program, and the folder of its files. */
export type Program = { folder: string; child: ChildProcess };

export function startProgram(folder: string, environment: Record<string, string>): Program {
  mkdirSync(folder, { recursive: true });
  const [file, ...words] = findProgram();
  const log = openSync(join(folder, 'log'), 'a');
  const child = spawn(file, [...words, 'prove-forgetting', '--serve', folder], {
    env: {
      ...{ DAYBOOK_DB: join(folder, 'daybook.db'), DAYBOOK_HOST: '127.0.0.1', DAYBOOK_PORT: '0' },
      ...{ DAYBOOK_TRUSTED_PROXIES: '127.0.0.1', DAYBOOK_RATE_LIMIT: '0', TMPDIR: tmpdir() },
      ...environment,
    },
    stdio: ['ignore', log, log, 'ipc'],
    windowsHide: true,
  });
  closeSync(log);
  return { folder, child };
}

/** Tells whether a process has ended. A process that was killed has a signal instead of an exit code. */
const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Kills a program. Nothing that it could still write is needed, because the proof removes its files. */
export async function stopProgram({ child }: Program): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Ends this program when the proof that started it has ended, even if the proof was killed. */
export function endWithProof(): void {
  const end = () => process.kill(process.pid, 'SIGKILL');
  if (!process.connected) end();
  process.once('disconnect', end);
  // The channel alone must not keep the program running, such as after a failed start.
  process.channel?.unref();
}

const readLog = ({ folder }: Program): string => readFileSync(join(folder, 'log'), 'utf8');

/** Waits until a program listens, and gives its URL. */
export const findUrl = (program: Program): Promise<string> =>
  waitFor([program], 'the server listens', () => /^listening on (\S+)/m.exec(readLog(program))?.[1]);

/**
 * Lets the programs write their memory. A thread that writes cannot answer, and the server ends a thread that does not
 * answer. So nobody may ask for statistics during the dump. Otherwise, on a slow machine, the dump would never be
 * finished.
 */
export async function dumpPrograms(programs: readonly Program[], name: Dump): Promise<void> {
  const files = programs.map(({ folder }) => join(folder, name));
  for (const file of files) writeFileSync(file, '');
  await waitFor(programs, 'the memory is written', () => !files.some((file) => existsSync(file)));
}

export const moveClocks = (programs: readonly Program[], aheadSeconds: number): void => {
  for (const { folder } of programs) writeFileSync(join(folder, NEXT_DAY), String(aheadSeconds));
};

const PATIENCE_MS = 900_000;
const EVERY_MS = 200;

export async function waitFor<Answer>(
  programs: readonly Program[],
  what: string,
  look: () => Answer | undefined | false | Promise<Answer | undefined | false>,
): Promise<Answer> {
  for (let waited = 0; waited < PATIENCE_MS; waited += EVERY_MS) {
    if (programs.some(({ child }) => hasEnded(child))) break;
    const answer = await look();
    if (answer !== undefined && answer !== false) return answer;
    await pause(EVERY_MS);
  }
  const logs = programs.map(readLog).join('\n');
  throw new Refusal(`the proof waited in vain until ${what}. The log of its server:\n${logs}`);
}
