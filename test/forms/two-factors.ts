import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { TestApp } from '../support/helpers.ts';
import { form } from '../support/requests.ts';

/** What an authenticator app shows, worked out apart from the program. */
export function appCode(secret: string, at: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.from(
    Math.floor(at / 30_000)
      .toString(16)
      .padStart(16, '0'),
    'hex',
  );
  const mac = createHmac('sha1', key).update(step).digest();
  const offset = (mac[19] ?? 0) % 16;
  return String((mac.readUInt32BE(offset) % 2 ** 31) % 1_000_000).padStart(6, '0');
}

/** Sets up an authenticator app as a browser without scripts does; gives its secret and the recovery codes. */
export async function setUpApp(
  app: Pick<TestApp, 'ask' | 'clock'>,
  cookie: string,
): Promise<{ secret: string; recovery: string[] }> {
  const page = await app.ask('GET', '/factors/app', { cookie });
  assert.equal(page.status, 200);
  const secret = /name="secret" type="hidden" value="([A-Z2-7]{32})"/.exec(page.text)?.[1] ?? '';
  const fields = { secret, name: 'Phone', code: appCode(secret, app.clock.now()) };
  const done = await app.ask('POST', '/factors/app', { cookie, ...form(fields) });
  assert.equal(done.status, 200, done.text);
  const recovery = /<pre class="codes">([^<]*)<\/pre>/.exec(done.text)?.[1]?.split('\n') ?? [];
  // The code of the set-up is used up.
  app.clock.pass(60);
  return { secret, recovery };
}
