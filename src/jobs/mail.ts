import type { Collector } from '../collect/collector.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, DAY, MINUTE, seconds } from '../lib/time.ts';
import { delivery } from '../mail/delivery.ts';
import type { Sources } from '../mail/kind.ts';
import { sequelsOf, WATCHED } from '../mail/kinds.ts';
import type { Post } from '../mail/post.ts';
import { posting, type Webhook } from '../mail/webhook.ts';
import { addMailing, endMailing, findLastMailing, listMailedSites, type MailedSite } from '../store/mail/mailings.ts';
import { findStanding, isBlocked } from '../store/people/accounts.ts';
import { listOutages } from '../store/server/outages.ts';

/** Where nobody has looked for so long, the server was not running, or the machine slept. */
const BREAK_SECONDS = 15 * MINUTE;

/** As long as a silence is looked back. */
const REFUSED_SECONDS = 8 * DAY;

type Deps = Sources & {
  clock: Clock;
  random: Random;
  log: Log;
  post: Post;
  collector: Pick<Collector, 'refusing'>;
  webhook?: Webhook | undefined;
  /** Told how each try of the webhook ended. */
  posted?: ((outcome: string) => void) | undefined;
};

type WatchedKind = (typeof WATCHED)[number];

export type SiteMails = ReturnType<typeof siteMails>;

/**
 * The mails about sites. First what there is to tell is written down, then it is sent to each who has not got it, and each
 * mail is written down too: so a new start, a mail server that is down or one of many addresses that does not exist neither
 * loses a mail nor sends one twice. Held by test/jobs/mail.test.ts.
 */
export function siteMails(deps: Deps) {
  const { db, clock, log, post, collector, webhook } = deps;
  const stopping = new AbortController();
  const stop = stopping.signal;
  const { send } = delivery({ ...deps, stop });
  const hook = webhook && posting({ ...deps, webhook, stop });
  let aliveSince = seconds(clock);
  let lastLook = aliveSince;
  /** The round in which a site was looked at last, by kind and site. */
  const lookedAt = new Map<string, number>();

  async function look(kind: WatchedKind, site: MailedSite, round: number, now: number): Promise<void> {
    const last = findLastMailing(db, site.id, kind.name);
    // What is refused is no silence.
    const refused = collector.refusing() ?? listOutages(db, now - REFUSED_SECONDS, now).at(-1);
    const refusedUntil = refused?.to ?? 0;
    const due = await kind.due(deps, site, { round, now, aliveSince: Math.max(aliveSince, refusedUntil), last });
    const add = (name: string, at: number) => addMailing(db, { siteId: site.id, kind: name, at, now });
    if (due === 'over' && last) {
      db.write(() => {
        endMailing(db, last.id, now);
        for (const sequel of sequelsOf(kind.name)) add(sequel.name, last.at);
      });
    } else if (due && due !== 'over') db.write(() => add(kind.name, due.at));
  }

  /** What goes wrong with one site is logged, and does not hold up the others. */
  async function lookAtAll(kind: WatchedKind, now: number): Promise<void> {
    for (const site of listMailedSites(db, kind.setting)) {
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
        log('a mail may be due, but its reports failed; they are tried again in a minute', details);
      }
    }
  }

  return {
    /** Looks for news, and sends what has not been sent. */
    async run(): Promise<void> {
      const now = seconds(clock);
      if (now - lastLook > BREAK_SECONDS || now < lastLook) aliveSince = now;
      lastLook = now;
      if (!(post.works || hook) || stop.aborted) return;
      for (const kind of WATCHED) await lookAtAll(kind, now);
      if (post.works) await send(now, aliveSince);
      await hook?.send(now, aliveSince);
    },
    /** Nothing more is begun. */
    stop(): void {
      stopping.abort();
    },
  };
}
