import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { makeTasks } from '../src/ledger/work/tasks.ts';
import { openReader, openStore } from '../src/store/file/open-file.ts';
import { makeSameThread } from '../src/threads/pool.ts';
import { append, pageview, TODAY } from './collect/stage.ts';
import { furnish } from './support/furnish.ts';
import { folder, NOON } from './support/helpers.ts';

/** A thread whose sealing does not end until the thread is closed. */
function sealer(t: TestContext, path: string) {
  const [begun, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  closed.promise.catch(() => {});
  const { db, close } = openReader(path);
  t.after(close);
  const threads = makeSameThread(makeTasks(db).tasks);
  let isBegun = false;
  return {
    begun: begun.promise,
    closed: closed.promise,
    start: (): typeof threads => ({
      ...threads,
      run(place, name, input) {
        if (name !== 'beginSeal') return threads.run(place, name, input);
        isBegun = true;
        begun.resolve();
        return closed.promise;
      },
      async close() {
        if (isBegun) closed.reject(new Error('the thread was closed'));
      },
    }),
  };
}

test('a stop ends the sealing at once, while requests are still answered', async (t) => {
  const path = join(folder(t), 'daybook.db');
  await furnish(path);
  const { db, close } = openStore(path);
  await append(db, [pageview({ day: TODAY - 1 })]);
  close();
  const { begun, closed, start } = sealer(t, path);
  const clock = { now: () => NOON, tick: () => performance.now() };
  const config = readConfig({ db: path, port: '0', 'keep-backups': '0' }, {});
  const daybook = await compose(config, { clock, random: randomBytes, log: () => {} }, { threads: start });
  const own = await daybook.listen();
  daybook.work(own);
  await begun;

  const socket = connect(own.port, '127.0.0.1');
  const answer = text(socket);
  const body = '{}';
  const head = `POST /day HTTP/1.1\r\nHost: a.test\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n`;
  await new Promise<void>((resolve) => void socket.write(`${head}Expect: 100-continue\r\n\r\n`, () => resolve()));
  await new Promise<void>((resolve) => void socket.once('data', () => resolve()));
  const stopped = daybook.stop();
  await assert.rejects(closed, /the thread was closed/);
  socket.write(body);
  assert.match(await answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 \d{3} /);
  await stopped;
});
