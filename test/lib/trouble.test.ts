import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchTrouble } from '../../src/lib/trouble.ts';

/** A trouble whose log is read by the test, which lets the time pass. */
function stage() {
  const said: string[] = [];
  let passed = 0;
  const log = (event: string, details: object = {}) => said.push(`${event} ${JSON.stringify(details)}`);
  const { failed, worked, settle } = watchTrouble(log, { tick: () => passed }, 'in all');
  return {
    said,
    fail: (kind = 'full') => failed(kind, 'failed', { kind }),
    worked,
    settle,
    pass(minutes: number): void {
      passed += minutes * 60_000;
    },
  };
}

test('what fails again and again is one line, and a count when it has worked for five minutes', () => {
  const { said, fail, worked, pass } = stage();
  for (let n = 0; n < 1_000; n++) {
    fail();
    worked();
    pass(1);
  }
  assert.deepEqual(said, ['failed {"kind":"full"}']);
  pass(3.9);
  worked();
  assert.equal(said.length, 1);
  pass(0.1);
  worked();
  worked();
  assert.deepEqual(said.slice(1), ['in all {"times":1000}']);
  fail();
  assert.equal(said.length, 3);
});

test('another kind of failure has a line of its own', () => {
  const { said, fail } = stage();
  for (const kind of ['full', 'torn', 'full', 'torn']) fail(kind);
  assert.deepEqual(said, ['failed {"kind":"full"}', 'failed {"kind":"torn"}']);
});

test('where nothing says that it works, the next failure after a while says how often the last ones came', () => {
  const { said, fail, pass } = stage();
  for (let n = 0; n < 3; n++) fail();
  pass(5);
  fail();
  assert.deepEqual(said.slice(1), ['in all {"times":3}', 'failed {"kind":"full"}']);
});

test('at the end the count is said at once, and one failure alone has its line already', () => {
  const { said, fail, settle } = stage();
  settle();
  fail();
  settle();
  assert.equal(said.length, 1);
  for (let n = 0; n < 7; n++) fail();
  settle();
  settle();
  assert.deepEqual(said.slice(2), ['in all {"times":7}']);
});
