import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { line, lines, started } from './access-log.ts';

test('a file counts once; what is added to it counts, under whatever name', async (t) => {
  const { daybook, log, logs, count, crawled } = await started(t);
  writeFileSync(log, lines(100));
  assert.equal(await count(log), 100);
  assert.equal(await logs(log), '0 lines read, 0 requests of AI crawlers counted');
  appendFileSync(log, lines(1));
  assert.equal(await count(log), 1);

  const moved = join(daybook.folder, 'moved');
  renameSync(log, moved);
  appendFileSync(moved, lines(2));
  writeFileSync(log, lines(3));
  assert.equal(await count(log), 3);
  assert.equal(await count(moved), 2);
  appendFileSync(moved, lines(4));
  writeFileSync(`${moved}.packed`, gzipSync(readFileSync(moved)));
  assert.equal(await count(`${moved}.packed`), 4);
  assert.equal(await count(moved), 0);
  assert.equal(await count(`${moved}.packed`), 0);
  assert.deepEqual(crawled(), { '2026-03-10 gptbot /page': 110 });
});

test('a file that was short when it was first read is known again when it has grown', async (t) => {
  const { log, count, crawled } = await started(t);
  for (const added of [1, 2, 4, 20, 40, 1]) {
    appendFileSync(log, lines(added));
    assert.equal(await count(log), added);
  }
  assert.deepEqual(crawled(), { '2026-03-10 gptbot /page': 68 });
});

test('a file that was emptied and written anew starts anew', async (t) => {
  const { log, count } = await started(t);
  for (const written of [50, 60, 2, 1]) {
    writeFileSync(log, lines(written));
    assert.equal(await count(log), written);
  }
});

test('an older copy of a file holds nothing new, and does not make the file count again', async (t) => {
  const { daybook, log, count } = await started(t);
  const copy = join(daybook.folder, 'copy');
  writeFileSync(log, lines(100));
  copyFileSync(log, copy);
  appendFileSync(log, lines(100));
  assert.equal(await count(log), 200);
  assert.equal(await count(copy), 0);
  assert.equal(await count(log), 0);
});

test('a last line without its end counts when it is whole, and once', async (t) => {
  const { log, logs, count } = await started(t);
  const [first, second, third] = [line('/1'), line('/2'), line('/3')];
  writeFileSync(log, first + second.slice(0, -20));
  assert.match(await logs(log), /^1 line read, 1 request /);
  appendFileSync(log, second.slice(-20, -1));
  assert.match(await logs(log), /^1 line read, 1 request /);
  appendFileSync(log, `\n${third}`);
  assert.match(await logs(log), /^1 line read, 1 request /);
  assert.equal(await count(log), 0);
});
