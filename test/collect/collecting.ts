import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TestContext } from 'node:test';
import { buildCollector, type Collector } from '../../src/collect/collector.ts';
import type { Client, Reason } from '../../src/collect/outcome.ts';
import { Engagement, Message } from '../../src/collect/payload.ts';
import { readConfig } from '../../src/config.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { openLedgerInProcess } from '../../src/ledger/in-process.ts';
import { checked } from '../../src/lib/http/input.ts';
import { logTo } from '../../src/lib/log.ts';
import type { OptionName } from '../../src/options.ts';
import type { Db } from '../../src/store/db.ts';
import { NOON } from '../support/helpers.ts';
import { CHROME, fileOf, GERMAN, type Hit, storedHits } from './stage.ts';

export const MIDNIGHT = 12 * 3600;

type Asking = { address?: string; agent?: string; brands?: string };

/** A collector over a file with the sites site1.example and site2.example, at noon, which may be started again. */
export function stage(t: TestContext, settings: Partial<Record<OptionName, string>> = {}) {
  const { path, open } = fileOf(t);
  const config = readConfig({ flood: '0', ...settings }, {});
  let time = NOON;
  const clock = { now: () => time, tick: () => time - NOON };
  const log: string[] = [];
  const start = (): { db: Db; engine: Engine; collector: Collector; close(): void } => {
    const { db, close } = open();
    const engine = openLedgerInProcess(db, clock);
    const collector = buildCollector({
      config,
      db,
      intake: engine.intake,
      clock,
      random: randomBytes,
      log: logTo((line) => log.push(line), clock.now),
    });
    return { db, engine, collector, close };
  };
  let now = start();
  t.after(() => now.engine.intake.settle());

  const clientOf = ({ address = GERMAN, agent = CHROME, brands }: Asking): Client => ({
    address,
    agent,
    browser: { acceptLanguage: 'de', brands, platform: undefined, mobile: undefined },
  });
  return {
    path,
    log,
    db: () => now.db,
    /** Another connection to the same file. */
    other: () => open().db,
    turn: () => now.collector.everyMinute(),
    pass(seconds: number): void {
      time += seconds * 1000;
    },
    restart(): void {
      now.collector.settle();
      now.engine.intake.settle();
      now.close();
      now = start();
    },
    /** A pageview of the first site unless something else is said; the reason if it is not counted. */
    take(message: object = {}, asking: Asking = {}): Promise<Reason | undefined> {
      const whole = { site: 'site1.example', url: 'https://site1.example/', ...message };
      return now.collector.take(checked(Message, whole), clientOf(asking), false);
    },
    /** What a server says that it saw, so many seconds ago and so often. */
    takePassed(ago: number, { address: ip = GERMAN, agent = CHROME, count = 1 }: Asking & { count?: number } = {}) {
      const site = {
        id: 1,
        domain: 'site1.example',
        ...{ tracksCrawlers: true, tracksVitals: false },
        ...{ privatePaths: '', pageParameters: '', dimensionsOff: '', currency: '' },
        timeZone: 'UTC',
        earliestDay: 0,
      };
      const hit = { url: new URL('https://site1.example/'), ip, agent, at: Math.floor(time / 1000) - ago };
      return now.collector.takeHits(site, Array(count).fill(hit));
    },
    engage(seconds: number, message: object = {}, asking: Asking = {}): Promise<Reason | undefined> {
      const whole = { site: 'site1.example', url: 'https://site1.example/', engaged: seconds * 1000, ...message };
      return now.collector.engage(checked(Engagement, whole), clientOf(asking));
    },
    hits: (): Hit[] => storedHits(now.db),
    last(): Hit {
      const hit = storedHits(now.db).at(-1);
      assert.ok(hit);
      return hit;
    },
  };
}

export type Stage = ReturnType<typeof stage>;

/** The codes of the visitors of all hits, as small numbers in order of their first hit: two hits, one visitor is 0, 0. */
export function visitorsOf({ hits }: Stage): number[] {
  const codes = hits().map(({ visitor }) => visitor);
  return codes.map((code) => [...new Set(codes)].indexOf(code));
}

/** All bytes that lie in the folder of a file. */
export const bytesBeside = (path: string): Buffer =>
  Buffer.concat(readdirSync(dirname(path)).map((name) => readFileSync(`${dirname(path)}/${name}`)));
