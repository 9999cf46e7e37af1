import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Io } from '../../src/cli/command.ts';
import { printTable } from '../../src/cli/table.ts';

test('tables: a table may have a million rows, and its columns are as wide as the widest cell', () => {
  const printed: string[] = [];
  const io: Io = {
    environment: {},
    print: (line) => void printed.push(line),
    explain: () => {},
    readInput: async () => '',
    readLine: async () => '',
    async *readLines() {},
    onStop: () => {},
  };
  const rows = Array.from({ length: 1_000_000 }, (_, n) => [n === 700_000 ? 'wide' : 'x', n]);
  printTable({ flags: {}, io }, ['A', 'B'], rows);
  assert.equal(printed.length, 1_000_000);
  assert.equal(printed[7], 'x     7');
});
