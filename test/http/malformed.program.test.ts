import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { DEADLINE_MS, type Server, until } from '../support/program.ts';
import { chance } from '../support/random.ts';
import { type Malformed, malformed } from './malformed.ts';
import { bearer, repliesOf, servingProgram } from './serving.ts';

/** What comes back until the server closes, which it must do soon after our end has been closed. */
function exchange(server: Server, { bytes, hangUp }: Malformed): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1');
    const received: Buffer[] = [];
    const deadline = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the server did not close after ${JSON.stringify(bytes.toString('latin1').slice(0, 500))}`));
    }, DEADLINE_MS);
    socket.on('data', (chunk) => {
      received.push(chunk);
      if (!chunk.toString('latin1').startsWith('HTTP/1.1 100 ')) socket.end();
    });
    socket.setTimeout(100, () => socket.end());
    // A server may close while we still send; what it said before counts.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(deadline);
      resolve(Buffer.concat(received));
    });
    socket.on('connect', () => {
      if (hangUp === 'politely') socket.end(bytes);
      else socket.write(bytes, () => hangUp === 'rudely' && socket.resetAndDestroy());
    });
  });
}

/** Resident memory in KiB, once it no longer changes. */
async function settledMemory({ pid }: Server): Promise<number> {
  const read = () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  let last = Number.NaN;
  let steady = 0;
  await until('the memory of the server settles', () => {
    const now = read();
    steady = Math.abs(now - last) < 64 ? steady + 1 : 0;
    last = now;
    return steady >= 30;
  });
  return last;
}

test('4,000 malformed requests get no 5xx, and the server neither grows nor breaks', async (t) => {
  // On a machine with much memory V8 lets garbage lie about before it looks for it; what is left then is in use.
  const env = { NODE_OPTIONS: '--max-semi-space-size=1 --max-old-space-size=64' };
  const flags = ['--rate-limit', '0', '--trusted-proxies', '127.0.0.1'];
  const { server, token, otherToken } = await servingProgram(t, flags, env);
  const requests = malformed(chance(t), token);
  const statuses = new Map<number, number>();

  async function ask(count: number) {
    let left = count;
    const work = async () => {
      while (left-- > 0) {
        const asked = requests.next().value as Malformed;
        const about = () => JSON.stringify(asked.bytes.toString('latin1').slice(0, 2_000));
        for (const { status, headers, body } of repliesOf(await exchange(server, asked), asked.method)) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          assert.ok(status < 500, `${status} for ${about()}`);
          if (body === '') continue;
          if (headers['content-type'] === 'application/json') {
            const keys = Object.keys(JSON.parse(body));
            if (status >= 400) assert.deepEqual(keys, ['error'], about());
            else assert.ok(keys.includes('data') || keys.includes('openapi'), about());
          } else if (!/^(?:image\/(?:gif|svg)|text\/javascript)/.test(headers['content-type'] ?? '')) {
            assert.match(body, /^<!doctype html>[\s\S]* · daybook<\/title>[\s\S]*<\/html>\n$/, about());
          }
        }
      }
    };
    await Promise.all(Array.from({ length: 50 }, work));
  }

  await ask(1_000);
  const before = await settledMemory(server);
  await ask(3_000);
  const grown = (await settledMemory(server)) - before;
  t.diagnostic(`${JSON.stringify(Object.fromEntries([...statuses].sort()))}, ${before} KiB and ${grown} more`);
  // The generator reaches what it is meant to reach.
  for (const status of [200, 204, 400, 401, 404, 405, 413, 422, 431]) assert.ok(statuses.has(status), `no ${status}`);
  assert.ok(grown < 20 * 1024, `${grown} KiB more`);
  const good = await fetch(`${server.url}/api/v1/account`, { headers: bearer(otherToken) });
  assert.equal(good.status, 200);
  assert.deepEqual(
    server.stderr.filter((line) => !line.includes('"event":"invitation created.')),
    [],
  );
  assert.equal(await server.stop(), 0);
});
