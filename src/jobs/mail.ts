// The job "mails". The job finds out which reports and alerts about sites are due. It stores them as mailings in the
// database file, and sends them.
//
// Each mailing is stored before its mails are sent, and each sent mail is noted too. So after a restart or a failure,
// only the missing mails are sent (test/jobs/mail.test.ts). A mail is sent twice only if the first one could not be
// noted. A failure at one site does not delay the other sites. jobs.ts runs the job every minute.

import type { Collector } from '../collect/collector.ts';
import { deliveries } from '../destinations/deliveries.ts';
import type { Resolve } from '../destinations/resolve.ts';
import type { Webhook } from '../destinations/webhook.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, DAY, MINUTE, seconds } from '../lib/time.ts';
import { delivery } from '../mail/delivery.ts';
import type { Sources } from '../mail/kind.ts';
import { listSequels, WATCHED } from '../mail/kinds.ts';
import type { Post } from '../mail/post.ts';
import { addMailing, endMailing, findLastMailing, listMailedSites, type MailedSite } from '../store/mail/mailings.ts';
import { findStanding, isBlocked } from '../store/people/accounts.ts';
import { listOutages } from '../store/server/outages.ts';

/**
 * If more time than this passes between two runs of the job, the machine probably slept. Then no site got hits. So a
 * silence of a site is measured only from the end of this break.
 */
const BREAK_SECONDS = 15 * MINUTE;

/**
 * How far back outages are read. If a site gets no hits, an alert is due when at least 12 visitors would usually have
 * come. For most sites, this takes far less than 8 days, so older outages do not matter.
 */
const REFUSED_SECONDS = 8 * DAY;

type Deps = Sources & {
  clock: Clock;
  random: Random;
  post: Post;
  collector: Pick<Collector, 'refusing'>;
  webhook?: Webhook | undefined;
  /** Called with the result of each try to send a message to a destination. /metrics counts the results. */
  posted?: ((outcome: string) => void) | undefined;
  resolve?: Resolve | undefined;
};

type WatchedKind = (typeof WATCHED)[number];

export type SiteMails = ReturnType<typeof siteMails>;

export function siteMails(deps: Deps) {
  const { db, clock, log, post, collector, webhook } = deps;
  const stopping = new AbortController();
  const stop = stopping.signal;
  const { send } = delivery({ ...deps, stop });
  const toDestinations = deliveries({ ...deps, webhook, stop });
  /** True if the server can send e-mails or has a --webhook-url. Otherwise, messages go only to sites' destinations. */
  const isAnyReader = post.works || webhook !== undefined;
  let aliveSince = seconds(clock);
  let lastLook = aliveSince;
  /**
   * For each kind of mail and site, the latest round in which the site was checked. A round is a period such as an
   * hour. In each round, a site is checked once.
   */
  const lookedAt = new Map<string, number>();

  async function look(kind: WatchedKind, site: MailedSite, round: number, now: number): Promise<void> {
    const last = findLastMailing(db, site.id, kind.name);
    // While the server refused hits or was down, no site got hits. The alert about silent sites must ignore this time.
    const refused = collector.refusing() ?? listOutages(db, now - REFUSED_SECONDS, now).at(-1);
    const refusedUntil = refused?.to ?? 0;
    const due = await kind.due(deps, site, { round, now, aliveSince: Math.max(aliveSince, refusedUntil), last });
    const add = (name: string, at: number, details?: string) =>
      addMailing(db, { siteId: site.id, kind: name, at, now, details });
    if (due === 'over' && last) {
      db.write(() => {
        endMailing(db, last.id, now);
        for (const sequel of listSequels(kind.name)) add(sequel.name, last.at);
      });
    } else if (due && due !== 'over') db.write(() => add(kind.name, due.at, due.details));
  }

  /** Checks all sites for one kind of mail. A failure at one site is logged, and does not delay the other sites. */
  async function lookAtAll(kind: WatchedKind, now: number): Promise<void> {
    for (const site of listMailedSites(db, isAnyReader ? kind.setting : undefined, kind.message)) {
      const key = `${kind.name} ${site.id}`;
      if (stop.aborted) return;
      const round = kind.round(now, site);
      if (round === undefined) continue;
      if (lookedAt.get(key) === round || isBlocked(findStanding(db, site.accountId, now))) continue;
      try {
        await look(kind, site, round, now);
        lookedAt.set(key, round);
      } catch (error) {
        if (stop.aborted) return;
        const details = { kind: kind.name, site: site.id, reason: (error as Error).message };
        log('an e-mail may be due, but its reports failed. The server tries again in a minute', details);
      }
    }
  }

  return {
    async run(): Promise<void> {
      const now = seconds(clock);
      if (now - lastLook > BREAK_SECONDS || now < lastLook) aliveSince = now;
      lastLook = now;
      if (stop.aborted) return;
      for (const kind of WATCHED) await lookAtAll(kind, now);
      if (post.works) await send(now, aliveSince);
      await toDestinations.send(now, aliveSince);
    },
    stop(): void {
      stopping.abort();
    },
  };
}
