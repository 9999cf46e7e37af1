import type { Config } from '../../src/config.ts';
import { DAY } from '../../src/lib/time.ts';
import type { Sources } from '../../src/mail/kind.ts';
import { type Ask, makeAsk } from '../../src/stats/ask.ts';
import type { Db } from '../../src/store/db.ts';
import { append, engineOver, type Hit, pageview } from '../collect/stage.ts';

/** Asks a file itself, without threads. */
export const askOf = (db: Db): Ask => makeAsk(engineOver(db).queries);

/** What mails are made from: a file and an engine over it, which keeps what it has read, as that of a server does. */
export function sourcesOf({ config, db }: { config: Config; db: Db }): Sources {
  const { queries, imports } = engineOver(db);
  return { config, db, ask: makeAsk(queries), queries, imports, log() {} };
}

/** Stores hits in the collector's way. */
export async function store(db: Db, hits: readonly Hit[]): Promise<void> {
  await append(db, hits);
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
