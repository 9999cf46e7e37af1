import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Io } from '../../src/cli/command.ts';
import { importLines } from '../../src/cli/import-lines.ts';

test('import: an upload ends if it takes most of the memory, and a command at the terminal does not', () => {
  const printed: string[] = [];
  const io = { print: (line: string) => void printed.push(line) } as Io;
  const line = { writing: { days: 1 } };
  assert.throws(() => importLines(io, true, 1_000_000).printSometimes(line), /more memory than an upload may/);
  importLines(io, false, 1_000_000).printSometimes(line);
  importLines(io, true).printSometimes(line);
  assert.deepEqual(printed, ['{"writing":{"days":1}}']);
});
