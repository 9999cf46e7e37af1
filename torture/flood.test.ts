import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { readVisitsByDay } from '../src/ledger/query/export-visits.ts';
import { openReader } from '../src/store/file/open-file.ts';
import { CHROME } from '../test/collect/stage.ts';
import type { Server } from '../test/support/program.ts';
import { quantile } from './clients.ts';
import { scaled } from './scale.ts';
import { serving } from './serving.ts';
import { honest, NOISE, rss, told } from './watch.ts';

type Served = { server: Server; db: string };
type Flood = { accepted: number; flood: number; seconds: number };

/**
 * How many hits of a page are in the file, as rows or in the parts of a day with many. An answer does not say which were dropped for
 * being too many.
 */
async function storedOf(path: string, page: string): Promise<number> {
  const { db, close } = openReader(path);
  let stored = 0;
  for await (const { visits } of readVisitsByDay(db, 1)) {
    for (const { hits } of visits) for (const hit of hits) stored += Number(hit.page === page);
  }
  close();
  return stored;
}

/** As fast as it goes, over many connections with many requests on the way in each, until a moment. */
async function storm({ server, db }: Served, page: string, ms: number, forwarded: () => string): Promise<Flood> {
  const AT_ONCE = 50;
  const start = performance.now();
  let sent = 0;
  const message = JSON.stringify({ site: 'example.com', url: `https://example.com${page}` });
  const head = [
    'POST /day HTTP/1.1',
    'Host: a.test',
    `User-Agent: ${CHROME}`,
    'Accept-Language: de',
    `Content-Length: ${message.length}`,
  ];
  const requests = () =>
    Array.from({ length: AT_ONCE }, () => [...head, `X-Forwarded-For: ${forwarded()}`, '', message].join('\r\n')).join(
      '',
    );
  async function one(): Promise<void> {
    const socket = connect(server.port, '127.0.0.1');
    let unread = '';
    let due = 0;
    await new Promise<void>((resolve, reject) => {
      const next = () => {
        due = AT_ONCE;
        socket.write(requests());
      };
      socket.on('error', reject).on('connect', next);
      socket.on('data', (bytes) => {
        unread += bytes.toString('latin1');
        const whole = unread.lastIndexOf('\r\n\r\n') + 4;
        if (whole < 4) return;
        const answers = unread.slice(0, whole).split('\r\n\r\n').slice(0, -1);
        unread = unread.slice(whole);
        for (const answer of answers) {
          if (!answer.startsWith('HTTP/1.1 202 ')) return reject(new Error(answer));
          sent++;
        }
        due -= answers.length;
        if (due > 0) return;
        if (performance.now() - start < ms) next();
        else {
          socket.destroy();
          resolve();
        }
      });
    });
  }
  await Promise.all(Array.from({ length: 20 }, one));
  const seconds = (performance.now() - start) / 1000;
  const accepted = await storedOf(db, page);
  return { accepted, flood: sent - accepted, seconds };
}

const RATE = 20;
const BURST = 60;

test('H9 a flood from one address is limited whatever it says of itself, and nobody else notices', async (t) => {
  const { server, db } = await serving(t, {});
  let n = 0;
  const forged = () => `10.${(++n >> 8) & 255}.${n & 255}.1`;
  let isOver = false;
  const others = honest(server, 'example.com', () => isOver);
  const { accepted, flood, seconds } = await storm({ server, db }, '/storm', scaled(3_000, 20_000), forged);
  isOver = true;
  const took = await others;
  assert.equal(await storedOf(db, '/honest'), took.length);
  t.diagnostic(
    `${((accepted + flood) / seconds).toFixed(0)} hits a second, of which ${accepted} were taken; others: ${told(took)}`,
  );
  assert.ok(accepted <= BURST + RATE * (seconds + 1), `${accepted} in ${seconds} s`);
  assert.ok(accepted >= BURST);
  assert.ok(quantile(took, 0.99) < 50 * NOISE);
  assert.deepEqual(server.stderr, []);
});

test('H9 behind a trusted proxy each address is limited for itself, and what is remembered of them is bounded', async (t) => {
  const { server, db } = await serving(t, { flags: ['--trusted-proxies', '127.0.0.1'] });
  let n = 0;
  const forwarded = () => {
    n++;
    return `203.0.113.9, 10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  };
  await storm({ server, db }, '/first', scaled(1_000, 10_000), forwarded);
  const before = rss(server);
  let isOver = false;
  const others = honest(server, 'example.com', () => isOver);
  const { accepted, flood, seconds } = await storm({ server, db }, '/storm', scaled(3_000, 20_000), forwarded);
  isOver = true;
  const took = await others;
  assert.equal(await storedOf(db, '/honest'), took.length);
  t.diagnostic(
    `${n} addresses, ${(accepted / seconds).toFixed(0)} hits a second; others: ${told(took)}; ${before.toFixed(0)} MB and then ${rss(server).toFixed(0)}`,
  );
  assert.equal(flood, 0);
  assert.ok(rss(server) - before < 300);
  // All of these are stored, so that whoever comes waits for as many as the disk has to take.
  assert.ok(quantile(took, 0.99) < 250 * NOISE);
  const one = await storm({ server, db }, '/one', scaled(500, 3_000), () => '198.51.100.1');
  assert.ok(one.accepted <= BURST + RATE * (one.seconds + 1), `${one.accepted} in ${one.seconds} s`);
  assert.deepEqual(server.stderr, []);
});
