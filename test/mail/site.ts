import assert from 'node:assert/strict';
import type { Hit } from '../../src/collect/hit.ts';
import type { Config } from '../../src/config.ts';
import { openDay } from '../../src/ledger/append.ts';
import { listDrops } from '../../src/ledger/drops.ts';
import { lastHit } from '../../src/ledger/growth.ts';
import { DAY } from '../../src/lib/time.ts';
import type { Sources } from '../../src/mail/kind.ts';
import { answerer } from '../../src/stats/answer.ts';
import type { Ask } from '../../src/stats/ask.ts';
import type { Db } from '../../src/store/statements.ts';
import { pageview } from '../collect/stage.ts';

/** Asks a file itself, without threads. */
export const askOf =
  (db: Db): Ask =>
  async (question) =>
    answerer(db).answer(question);

/** The same for all that mails are made from. */
export const sourcesOf = ({ config, db }: { config: Config; db: Db }): Sources => ({
  config,
  db,
  ask: askOf(db),
  lastHit: async () => lastHit(db),
  drops: async (siteId, { from, to }) => listDrops(db, siteId, from, to),
});

/** Stores hits in the collector's way. */
export async function store(db: Db, hits: readonly Hit[]): Promise<void> {
  const day = openDay(db, (event, details) => assert.fail(`${event} ${JSON.stringify(details)}`));
  for (let i = 0; i < hits.length; i += 5_000) await day.append(hits.slice(i, i + 5_000), []);
}

let comers = 0;

/** So many people who come at a moment, each once, a second after the other. */
export const comersAt = (count: number, moment: number, more: Partial<Hit> = {}): Hit[] =>
  Array.from({ length: count }, (_, i) =>
    pageview({
      ...more,
      visitor: ++comers,
      day: Math.floor((moment + i) / DAY),
      second: (moment + i) % DAY,
    }),
  );

/** The same in each hour from one moment to before another. */
export function hourly(count: number, from: number, to: number, more: Partial<Hit> = {}): Hit[] {
  const hits: Hit[] = [];
  for (let hour = from; hour < to; hour += 3_600) hits.push(...comersAt(count, hour, more));
  return hits;
}
