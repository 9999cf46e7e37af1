import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const MODULE = fileURLToPath(new URL('../../src/lib/priority.ts', import.meta.url));
const CODE = `const { lowerPriority } = await import(process.argv[1]);
lowerPriority(10);
console.log(process.getBuiltinModule('os').getPriority());`;

/** Starts a program with a priority, and returns the priority that it has in the end. 19 is the lowest. */
const priorityAfter = (nice: number): string =>
  execFileSync('nice', ['-n', String(nice), process.execPath, '--input-type=module', '--eval', CODE, MODULE], {
    encoding: 'utf8',
  }).trim();

test('priority: work of a lower priority never raises the priority that the program was started with', {
  skip: process.platform === 'win32',
}, () => {
  assert.equal(priorityAfter(0), '10');
  assert.equal(priorityAfter(15), '15');
});
