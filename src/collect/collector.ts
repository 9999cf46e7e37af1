import { isOnSite } from '../classify/host.ts';
import { pageOf } from '../classify/page.ts';
import type { Config } from '../config.ts';
import type { Engine, Moment } from '../engine.ts';
import { isLocal } from '../lib/address.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import type { CollectedSite } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { noteUpkeep } from '../store/upkeep.ts';
import { activeVisitors } from './active-visitors.ts';
import { arrivals } from './arrivals.ts';
import { flood } from './flood.ts';
import { knowledgeOf } from './knowledge.ts';
import { knownSites } from './known-sites.ts';
import { momentOf } from './moment.ts';
import { passedOn } from './passed.ts';
import type { Engagement, Message } from './payload.ts';
import { type Reason, record, type Sender, visitorOf } from './record.ts';

export type Collector = ReturnType<typeof buildCollector>;

type Deps = {
  config: Config;
  db: Db;
  engine: Pick<Engine, 'append' | 'drop' | 'activeSince'>;
  clock: Clock;
  random: Random;
  log: Log;
  meters?: Meters | undefined;
};

/** What browsers send, one message at a time. */
function browserMessages(
  { config, db, engine, clock, meters }: Deps,
  knowledge: ReturnType<typeof knowledgeOf>,
  active: ReturnType<typeof activeVisitors>,
) {
  const siteOf = knownSites(db);
  const addresses = flood(config.flood, clock);

  function unknown(): Reason {
    meters?.dropped.add(['unknown-site']);
    return 'unknown-site';
  }

  function drop(site: CollectedSite, { day }: Moment, reason: Reason): Reason {
    meters?.dropped.add([reason]);
    engine.drop({ siteId: site.id, day, reason, hits: 1 });
    return reason;
  }

  return {
    /** Resolves when it is on the disk, with the reason if it is not counted. */
    async take(message: Message, sender: Sender, isPrefetch: boolean): Promise<Reason | undefined> {
      const site = siteOf(message.site.toLowerCase());
      if (!site) return unknown();
      const now = seconds(clock);
      const moment = momentOf(now);
      if (!addresses.take(sender.address)) return drop(site, moment, 'flood');
      if (isPrefetch) return drop(site, moment, 'prefetch');

      const outcome = record(knowledge, site, message, sender, moment);
      if ('hit' in outcome) {
        await engine.append({ activities: [outcome.hit] });
        active.touch(outcome.hit.visitor, now, now);
        return undefined;
      }
      if (outcome.crawl) await engine.append({ crawls: [outcome.crawl] });
      return drop(site, moment, outcome.dropped);
    },

    /** How long a page was visible: no hit, but a sign of life of a visit that is running. */
    async engage(message: Engagement, sender: Sender): Promise<Reason | undefined> {
      const site = siteOf(message.site.toLowerCase());
      if (!site) return unknown();
      const now = seconds(clock);
      const moment = momentOf(now);
      if (!isOnSite(site, message.url.hostname)) return drop(site, moment, 'foreign-host');
      if (!addresses.take(sender.address)) return drop(site, moment, 'flood');

      const visitor = visitorOf(knowledge, site, moment, sender);
      const idle = active.idle(visitor, now);
      if (idle === undefined) return drop(site, moment, 'no-visit');
      // Nobody has looked for longer than since the last sign of life, whatever a browser says; a second for its rounding.
      const engaged = Math.min(Math.round(message.engaged / 1000), idle + 1);
      const page = pageOf(message.url.pathname) ?? '/';
      await engine.append({ activities: [{ siteId: site.id, ...moment, visitor, page, engaged }] });
      active.touch(visitor, now, now);
      return undefined;
    },
  };
}

/** Everything that is collected comes in here, and goes to the engine. */
export function buildCollector(deps: Deps) {
  const { config, db, engine, clock, meters } = deps;
  const knowledge = knowledgeOf(deps);
  const active = activeVisitors(engine);
  const arrived = arrivals(clock, isLocal(new URL(config.baseUrl)));

  function noteArrivals(): void {
    const told = arrived.told();
    try {
      if (told) noteUpkeep(db, 'visitors', { at: seconds(clock), ...told });
    } catch {
      // Where the disk takes nothing there is more to worry about, and it is logged with the hits.
    }
  }

  return {
    ...browserMessages(deps, knowledge, active),
    ...passedOn({ engine, knowledge, active, clock, meters }),
    /** Somebody came; for doctor, which tells from it whether a proxy hides the visitors. */
    saw: arrived.saw,
    /** Once a minute. The day may have changed: its codes are given up even if nobody comes. */
    turn(): void {
      knowledge.visitors.renew(momentOf(seconds(clock)).day);
      noteArrivals();
    },
    /** Notes what is to be kept, before the file is closed. */
    settle: noteArrivals,
  };
}
