import Database from 'better-sqlite3';
import { openClusterForMove } from '../../src/cluster/engine.ts';
import { isHit, type Hit as StoredHit } from '../../src/engine/activity.ts';
import type { Transfer, TransferActivity } from '../../src/engine/transfer.ts';
import { openLedgerInProcess } from '../../src/ledger/in-process.ts';
import { TEXT_FIELDS, type TextField } from '../../src/stats/dimensions.ts';
import type { VitalValues } from '../../src/stats/vitals.ts';
import type { TestApp } from './helpers.ts';

/**
 * A hit as tests write it: where `engaged` is a number, it is a sign of life, which may tell the depth of its page and what
 * was measured.
 */
export type Hit = StoredHit & {
  engaged: number | null;
  scroll?: number | undefined;
  measured?: VitalValues | undefined;
};

export const NO_WORDS = Object.fromEntries(TEXT_FIELDS.map((word) => [word, ''])) as Record<TextField, string>;

type Asked = Pick<TestApp, 'db' | 'clock' | 'config'>;

/** The door by which the engine of an app would hand all that it keeps to another one. */
async function findTransfer({ db, clock, config }: Asked): Promise<Transfer> {
  if (config.engine === undefined) return openLedgerInProcess(db, clock).transfer;
  return (await openClusterForMove(config.engine, db, clock)).transfer;
}

function hitOf({ importId: _, ...activity }: TransferActivity): Hit {
  if (isHit(activity)) return { ...activity, engaged: null };
  const { scroll, ...sign } = activity;
  return { ...NO_WORDS, ...sign, ...(scroll === undefined ? {} : { scroll }) };
}

/** Those of the hits that an app keeps which it did not keep before. */
export function cameSince(before: readonly Hit[], hits: readonly Hit[]): Hit[] {
  const known = before.map((hit) => JSON.stringify(hit));
  return hits.filter((hit) => {
    const place = known.indexOf(JSON.stringify(hit));
    if (place >= 0) known.splice(place, 1);
    return place < 0;
  });
}

/** The disk takes no more of what comes to an app, until it is told to take it again. */
export function refuseHits({ db, config }: Pick<TestApp, 'db' | 'config'>): { takeAgain(): void } {
  if (config.engine === undefined) {
    db.run('PRAGMA query_only = ON');
    return { takeAgain: () => db.run('PRAGMA query_only = OFF') };
  }
  const run = (sql: string): void => {
    const outbox = new Database(`${config.db}.outbox`);
    outbox.exec(sql);
    outbox.close();
  };
  run("CREATE TRIGGER full BEFORE INSERT ON piece BEGIN SELECT RAISE(ABORT, 'full'); END");
  return { takeAgain: () => run('DROP TRIGGER full') };
}

/** What an app keeps, whatever its engine is. */
export type Held = {
  /** What came to open days as it was taken in: by site and day, in the order of arrival. */
  hits(): Promise<Hit[]>;
  /** Requests of AI crawlers to a site, by crawler and page. */
  crawls(siteId: number): Promise<Record<string, number>>;
  /** What was not counted of a site: one number for each reason, summed over its days or of one. */
  drops(siteId: number, day?: number): Promise<Record<string, number>>;
};

export const heldBy = (app: () => Asked): Held => ({
  async hits() {
    const hits: Hit[] = [];
    for await (const activities of (await findTransfer(app())).readActivities()) hits.push(...activities.map(hitOf));
    return hits;
  },
  async crawls(siteId) {
    const counts: Record<string, number> = {};
    for await (const crawls of (await findTransfer(app())).readCrawls())
      for (const { crawler, page, requests } of crawls.filter((crawl) => crawl.siteId === siteId))
        counts[`${crawler} ${page}`] = (counts[`${crawler} ${page}`] ?? 0) + requests;
    return counts;
  },
  async drops(siteId, day) {
    const counts: Record<string, number> = {};
    for await (const drops of (await findTransfer(app())).readDrops())
      for (const drop of drops.filter((one) => one.siteId === siteId && (day === undefined || one.day === day)))
        counts[drop.reason] = (counts[drop.reason] ?? 0) + drop.hits;
    return counts;
  },
});
