import assert from 'node:assert/strict';
import { mock, type TestContext } from 'node:test';
import { findCommand, type Io, parse } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/run.ts';
import { NOON } from '../helpers.ts';
import { type Program, program } from '../program.ts';

/** Commands go by the clock of their process; this one's stands from here on. */
mock.timers.enable({ apis: ['Date'], now: NOON });

/** A command on a file in this process, which spares the start of another; gives the lines that it said. */
export async function here(db: string, ...words: string[]): Promise<{ printed: string[]; explained: string[] }> {
  const [printed, explained]: [string[], string[]] = [[], []];
  const io: Io = {
    environment: { DAYBOOK_DB: db },
    print: (line) => void printed.push(line),
    explain: (line) => void explained.push(line),
    readInput: async () => '',
    onStop: () => {},
  };
  const [command, rest] = findCommand(commands, words);
  const invocation = parse(command, rest, io);
  assert.ok(invocation);
  await command.run(invocation);
  return { printed, explained };
}

/** The program, but its commands run in this process; its servers are processes of their own. */
export function commandLine(t: TestContext): Program {
  const before = process.cwd();
  t.after(() => process.chdir(before));
  const { folder, db, serve } = program(t);

  const self: Program = {
    folder,
    db,
    serve,
    async run(args, { input = '', env = {} } = {}) {
      const [printed, explained]: [string[], string[]] = [[], []];
      const io: Io = {
        environment: env,
        print: (line) => void printed.push(`${line}\n`),
        explain: (line) => void explained.push(`${line}\n`),
        readInput: async () => input,
        onStop: () => {},
      };
      process.chdir(folder);
      const code = await run(args, io);
      return { code, stdout: printed.join(''), stderr: explained.join('') };
    },
    async print(args, asking) {
      const { code, stdout, stderr } = await self.run(args, asking);
      assert.equal(code, 0, stderr);
      return stdout.trimEnd();
    },
  };
  return self;
}
