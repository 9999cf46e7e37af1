import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { findCommand, type Io, parse } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { NOON } from '../helpers.ts';

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
