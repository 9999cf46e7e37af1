import assert from 'node:assert/strict';
import { mock, type TestContext } from 'node:test';
import { findCommand, type Io, parse } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/run.ts';
import { NOON, type TestApp } from '../support/helpers.ts';
import { type Program, program, type Server } from '../support/program.ts';

/** Commands go by the clock of their process; this one's stands from here on. */
mock.timers.enable({ apis: ['Date'], now: NOON });

/** Where the tests run; a command runs in the folder of its file. */
const HOME = process.cwd();

/** What a command is given, and the lines that it says. */
function stage(environment: Io['environment'], input = '') {
  const [printed, explained]: [string[], string[]] = [[], []];
  const io: Io = {
    environment,
    print: (line) => void printed.push(line),
    explain: (line) => void explained.push(line),
    readInput: async () => input,
    readLine: async () => input.split('\n', 1)[0] ?? '',
    async *readLines() {
      yield* input.split('\n').filter((line) => line !== '');
    },
    onStop: () => {},
  };
  return { io, printed, explained };
}

type Said = { printed: string[]; explained: string[] };

/** Begins a command. What it has said so far can be read meanwhile, and `stop` ends it as a signal does. */
function beginIn(environment: Io['environment'], words: string[]) {
  const { io, printed, explained } = stage(environment);
  let stop = () => {};
  io.onStop = (own) => {
    stop = own;
  };
  const [command, rest] = findCommand(commands, words);
  const invocation = parse(command, rest, io);
  assert.ok(invocation);
  const run = async (): Promise<Said> => {
    await command.run(invocation);
    return { printed, explained };
  };
  return { done: run(), printed, explained, stop: () => stop() };
}

const commandIn = async (environment: Io['environment'], words: string[]): Promise<Said> =>
  await beginIn(environment, words).done;

/** A command on a file in this process, which spares the start of another; throws what it throws. */
export const here = (db: string, ...words: string[]): Promise<Said> => commandIn({ DAYBOOK_DB: db }, words);

/** The same on the file of an app, and the cluster that it may have. */
export const hereOn = ({ config: { db, engine } }: Pick<TestApp, 'config'>, ...words: string[]): Promise<Said> =>
  commandIn({ DAYBOOK_DB: db, DAYBOOK_ENGINE: engine }, words);

/** Begins a command on the file of an app, and the cluster that it may have. */
export const begin = ({ config: { db, engine } }: Pick<TestApp, 'config'>, ...words: string[]) =>
  beginIn({ DAYBOOK_DB: db, DAYBOOK_ENGINE: engine }, words);

/** A server in this process, and the lines that it has said so far. */
export type ServerHere = Pick<Server, 'url' | 'port' | 'stdout' | 'stderr' | 'stop'>;

export type CommandLine = Omit<Program, 'serve'> & {
  serve(flags?: string[], serving?: { env?: Io['environment'] }): Promise<ServerHere>;
};

/** The program, but in this process, which spares the start of another. */
export function commandLine(t: TestContext): CommandLine {
  t.after(() => process.chdir(HOME));
  const { folder, db } = program(t);

  async function serve(flags: string[] = [], { env = {} }: { env?: Io['environment'] } = {}): Promise<ServerHere> {
    const { io, printed, explained } = stage(env);
    const stopping = Promise.withResolvers<() => void>();
    io.onStop = stopping.resolve;
    process.chdir(folder);
    const ended = run(['serve', '--port', '0', ...flags], io);
    const asked = await Promise.race([stopping.promise, ended]);
    if (typeof asked === 'number') throw new Error(`it ended with ${asked}: ${explained.join('\n')}`);
    const stop = () => {
      asked();
      return ended;
    };
    // Not awaited, because it gives clients that keep their connection a second.
    t.after(() => void stop());
    // It prints this in the turn in which it asks for its stop.
    const url = /^listening on (\S+)$/.exec(printed.at(-1) ?? '')?.[1] ?? '';
    return { url, port: Number(new URL(url).port), stdout: printed, stderr: explained, stop };
  }

  const self: CommandLine = {
    folder,
    db,
    serve,
    async run(args, { input = '', env = {} } = {}) {
      const { io, printed, explained } = stage(env, String(input));
      process.chdir(folder);
      const code = await run(args, io);
      const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
      return { code, stdout: text(printed), stderr: text(explained) };
    },
    async print(args, asking) {
      const { code, stdout, stderr } = await self.run(args, asking);
      assert.equal(code, 0, stderr);
      return stdout.trimEnd();
    },
  };
  return self;
}
