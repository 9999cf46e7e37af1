import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { composeCollector } from '../../src/compose-collector.ts';
import { readConfig } from '../../src/config.ts';
import { type Listening, listen } from '../../src/http/server.ts';
import { hashSecret } from '../../src/lib/secrets.ts';
import { type Clock, seconds } from '../../src/lib/time.ts';
import { addCollector, findCollector, retireCollector } from '../../src/store/cluster/collectors.ts';
import type { Db } from '../../src/store/db.ts';
import { CHROME, GERMAN, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { folder, startApp } from '../support/helpers.ts';

export type Settings = Record<string, string>;

/** Keeps what is logged, with its details, as lines. */
const logInto =
  (lines: string[]) =>
  (...said: unknown[]): void =>
    void lines.push(said.map((one) => JSON.stringify(one)).join(' '));

/** Gives a collector up, as `collectors retire --lost` does. */
const losing = (db: Db, clock: Clock) => (name: string) => {
  const one = findCollector(db, name);
  assert.ok(one);
  db.write(() => retireCollector(db, one, { now: seconds(clock), isLost: true }));
};

/** A primary that listens, and may go away and come back at the same place. */
async function listening(t: TestContext, app: Awaited<ReturnType<typeof startApp>>) {
  const place = { host: '127.0.0.1', port: 0, trust: app.config.trust };
  let primary: Listening | undefined;
  const open = async () => {
    primary = await listen(place, { random: randomBytes, clock: app.clock, log: () => {} }, () => app.app);
    place.port = primary.port;
  };
  const close = async () => {
    await primary?.stop();
    primary = undefined;
  };
  await open();
  t.after(close);
  return { place, open, close };
}

/** A primary that listens, on the tests' cluster, and collectors of it in this process, on its clock. */
export async function stage(t: TestContext, config: { engine?: string } = {}) {
  const app = await startApp(t, config);
  const { place, open, close } = await listening(t, app);
  const at = folder(t);
  const log: string[] = [];

  /** A collector with a secret of its own, which goes on with the outbox of that name, on a machine with that clock. */
  async function collector(name: string, settings: Settings = {}, clock: Clock = app.clock) {
    const secret = join(at, name);
    if (!findCollector(app.db, name)) {
      const text = randomBytes(20).toString('hex');
      writeFileSync(secret, text);
      app.db.write(() => addCollector(app.db, { name, hash: hashSecret(text), now: seconds(app.clock) }));
    }
    const flags = { primary: `http://127.0.0.1:${place.port}`, 'secret-file': secret, outbox: join(at, `${name}.db`) };
    const runtime = {
      clock,
      random: randomBytes,
      log: logInto(log),
    };
    const own = await composeCollector(
      readConfig({ ...flags, ack: 'reachable', ...settings }, {}),
      runtime,
      new AbortController().signal,
    );
    assert.ok(own);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= own.stop();
      return stopped;
    };
    t.after(stop);
    const url = (path: string) => new URL(`https://example.com${path}`);
    const sender = { address: GERMAN, agent: CHROME };
    return {
      ...own,
      ...{ stop, primary: flags.primary, secret, folder: at },
      view: (path: string, site = 'example.com', from = sender) =>
        own.collector.take({ site, url: url(path) }, from, false),
      engage: (path: string, engaged: number, scroll?: number) =>
        own.collector.engage({ site: 'example.com', url: url(path), engaged: engaged * 1000, scroll }, sender),
    };
  }

  const { owner, siteId } = app;
  return {
    ...app,
    ...{
      open,
      close,
      collector,
      log,
      primaryLog: app.log,
      lose: losing(app.db, app.clock),
      outbox: (name: string) => join(at, `${name}.db`),
    },
    figures: async (day = TODAY) =>
      (await owner.ask('GET', `/sites/${siteId}/stats/overview?range=${date(day)}~${date(day)}`)).body.data,
    stateOf: async (day: number) => {
      const { body } = await owner.ask('GET', `/sites/${siteId}/stats/days?range=${date(day)}~${date(day)}`);
      return body.data.days[0]?.state;
    },
  };
}
