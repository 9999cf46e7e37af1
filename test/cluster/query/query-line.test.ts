import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeQueryLine } from '../../../src/cluster/query/query-line.ts';
import { Problem } from '../../../src/lib/errors.ts';

/** Queries that run until they are ended, and which of them began. */
function stage(options: Parameters<typeof makeQueryLine>[0]) {
  const line = makeQueryLine(options);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    ask: (name: string, site: number, signal?: AbortSignal) =>
      line.run(site, signal, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
    async end(name: string) {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

const isBusy = (error: unknown) =>
  error instanceof Problem && error.status === 503 && error.headers['Retry-After'] === '1';

test('queries of ClickHouse: so many run at once, and sites take turns', async () => {
  const { begun, ask, end } = stage({ atOnce: 2 });
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name, 1));
  all.push(ask('b1', 2));
  await new Promise(setImmediate);
  assert.deepEqual(begun, ['a1', 'a2']);
  await end('a1');
  await end('a2');
  assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1']);
  await end('b1');
  await end('a3');
  await end('a4');
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'b1']);
});

test('queries of ClickHouse: one that fails gives its place to the next', async () => {
  const line = makeQueryLine({ atOnce: 1 });
  const failed = line.run(1, undefined, () => Promise.reject(new Error('no')));
  const next = line.run(1, undefined, async () => 'done');
  await assert.rejects(failed, /no/);
  assert.equal(await next, 'done');
});

test('queries of ClickHouse: one that waits for too long, or that nobody wants any more, ends with 503', async () => {
  const { begun, ask, end } = stage({ atOnce: 1, longestMs: 20 });
  const first = ask('a1', 1);
  const left = new AbortController();
  const others = [ask('a2', 1), ask('a3', 1, left.signal)];
  left.abort();
  await Promise.all(others.map((one) => assert.rejects(one, isBusy)));
  await end('a1');
  assert.equal(await first, 'a1');
  assert.deepEqual(begun, ['a1']);
});

test('queries of ClickHouse: above 250 queries of a site, the next one ends with 503 at once', async () => {
  const { ask, end } = stage({ atOnce: 1 });
  const first = ask('a', 1);
  const left = new AbortController();
  const waiting = Array.from({ length: 250 }, (_, i) => ask(`a${i}`, 1, left.signal).catch(() => {}));
  await assert.rejects(ask('more', 1), isBusy);
  const other = ask('b', 2);
  left.abort();
  await Promise.all(waiting);
  await end('a');
  await end('b');
  assert.deepEqual(await Promise.all([first, other]), ['a', 'b']);
});
