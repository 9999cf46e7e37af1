import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAYBOOK, program, until } from '../support/program.ts';

/** Has node warn when it gets a signal. */
const WARNS = `process.on('SIGUSR2', () => {
  process.emitWarning('an experiment', 'ExperimentalWarning');
  process.emitWarning('this will go', 'DeprecationWarning');
});`;

test('warnings of node are lines of the log, and those about experiments are none', async (t) => {
  const hook = `data:text/javascript,${encodeURIComponent(WARNS)}`;
  const server = await program(t, { command: [process.execPath, '--import', hook, ...DAYBOOK] }).serve();
  server.kill('SIGUSR2');
  await until('there is a warning', () => server.stderr.some((line) => line.includes('this will go')));
  assert.equal(await server.stop(), 0);
  const lines = server.stderr.map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.filter(({ event }) => event === 'warning').map(({ name, message }) => [name, message]),
    [['DeprecationWarning', 'this will go']],
  );
});
