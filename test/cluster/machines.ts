import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { daybookBy, type Program, program, type Server } from '../support/program.ts';
import type { Clocks } from './clocks.ts';

export type Machines = Awaited<ReturnType<typeof machines>>;

type Setting = {
  primary: Program;
  engine: string;
  clocks: Clocks;
  collectors: number;
  /** The folder of a collector's outbox, where it is not a folder of its own. */
  diskOf?: (i: number) => string | undefined;
};

/** Visits from here are not counted, and how many is. */
const EXCLUDED = '192.0.2.0/24';
const INTAKE = ['--flood', '0', '--trusted-proxies', '127.0.0.1', '--exclude-addresses', EXCLUDED];

/** The command that runs the program by a clock. */
export const commandBy = (clocks: Clocks, name: string): string[] => [
  process.execPath,
  ...daybookBy(clocks.file(name)),
];

/** Collectors in the file of their primary. One that takes the place of another has a name and a secret of its own. */
function registry({ folder: at, db, print }: Program, numbers: readonly number[]) {
  const names = numbers.map((i) => `c${i}`);
  let replaced = 0;
  const nameOf = (i: number): string => names[i] ?? '';
  const secretOf = (i: number): string => join(at, `secret-${nameOf(i)}`);
  const add = async (i: number): Promise<void> =>
    writeFileSync(secretOf(i), await print(['collectors', 'add', nameOf(i), '--db', db]), { mode: 0o600 });
  return {
    nameOf,
    secretOf,
    add,
    async replace(i: number): Promise<void> {
      await print(['collectors', 'retire', nameOf(i), '--db', db]);
      names[i] = `c${i}.${++replaced}`;
      await add(i);
    },
  };
}

/** A primary and collectors, each by a clock of its own, which are killed and started. All of them are up at first. */
export async function machines(
  t: TestContext,
  { primary: daybook, engine, clocks, collectors: count, diskOf = () => undefined }: Setting,
) {
  const { folder: at, db } = daybook;
  const numbers = Array.from({ length: count }, (_, i) => i);
  const programs = numbers.map((i) => program(t, { command: commandBy(clocks, `c${i}`) }));
  const own: (Server | undefined)[] = numbers.map(() => undefined);
  // It is asked again and again until it is ready, which on a busy machine is more often than a token may.
  const flags = ['--db', db, '--engine', engine, '--rate-limit', '0', ...INTAKE];
  let primary = await daybook.serve(flags);
  // Where the collectors look for it, whatever its port is after a new start.
  const { port } = primary;
  let isUp = true;
  let starts = 1;
  const { nameOf, secretOf, add, replace } = registry(daybook, numbers);
  // A collector ends before its own folder is deleted, but after that of the primary.
  const outboxOf = (i: number) => join(diskOf(i) ?? programs[i]?.folder ?? at, `outbox-${nameOf(i)}.db`);
  for (const i of numbers) await add(i);
  const retired: { name: string; outbox: string }[] = [];

  const startCollector = async (i: number): Promise<void> => {
    const own1 = ['--primary', `http://127.0.0.1:${port}`, '--secret-file', secretOf(i), '--outbox', outboxOf(i)];
    own[i] = await programs[i]?.serve([...own1, ...INTAKE], { command: 'collect' });
  };
  const stopCollector = async (i: number, signal: NodeJS.Signals): Promise<void> => {
    const one = own[i];
    own[i] = undefined;
    one?.kill(signal);
    await one?.ended;
  };
  const replaceCollector = async (i: number): Promise<void> => {
    retired.push({ name: nameOf(i), outbox: outboxOf(i) });
    own[i] = undefined;
    await replace(i);
    await startCollector(i);
  };
  const startPrimary = async (): Promise<void> => {
    primary = await daybook.serve(flags, { port });
    isUp = true;
    starts++;
  };
  const stopPrimary = async (signal: NodeJS.Signals): Promise<void> => {
    isUp = false;
    primary.kill(signal);
    await primary.ended;
  };
  const startAll = async (): Promise<void> => {
    await startPrimary();
    for (const i of numbers) await startCollector(i);
  };
  const stopAll = async (): Promise<void> => {
    for (const i of numbers) await stopCollector(i, 'SIGTERM');
    await stopPrimary('SIGTERM');
  };
  for (const i of numbers) await startCollector(i);
  return {
    /** The numbers of the collectors. */
    numbers,
    /** Where hits are taken at the moment. */
    ports: () => own.flatMap((one) => (one ? [one.port] : [])),
    collector: (i: number) => own[i],
    primary: () => primary,
    /** Whether the primary is up, and how often it was started. */
    state: () => ({ isUp, starts }),
    /** The collectors that were retired. Their programs still run. */
    retired,
    /** Retires a collector, and starts a new one in its place. */
    replaceCollector,
    ...{ nameOf, outboxOf, flags, startCollector, stopCollector, startPrimary, stopPrimary, startAll, stopAll },
  };
}
