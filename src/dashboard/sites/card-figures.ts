// Loads the figures for the cards of the site list. A card shows the visitors of the last 30 days, as a number and as a
// line. Each site needs two requests, and at most four sites are requested together. If the API refuses because of too
// many requests, the request is sent again after 10 s. The results stay in memory. So the cards show their figures at
// once when the user opens the list again.
//
// Example: 100 sites need 200 requests. By default, a session may send 1,200 requests a minute. So in a list of more
// than about 600 sites, the last cards have to wait.
//
// site-list.tsx and all-sites-card.tsx use this file.

import { useEffect, useState } from 'preact/hooks';
import type { Overview, Point, Timeseries } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import { sitePath } from '../core/address.ts';
import { ApiError, get } from '../core/api.ts';
import { useNow } from '../core/clock.ts';
import { join } from '../core/refresh.ts';

export type CardFigures = { visitors: number; change: number | null; points: Point[] };
type Result = CardFigures | ApiError;
type Listed = Pick<Site, 'domain'>;

const DAYS = 30;
const MOST_REQUESTS = 4;
const RETRY_MS = 10_000;

/** The parameters of the two requests for a card: SUM_QUERY for its number, and LINE_QUERY for its line. */
export const SUM_QUERY = { range: `${DAYS}d`, compare_until: 'now' };
export const LINE_QUERY = { range: `${DAYS}d`, interval: 'day' };

/**
 * Loads the figures of all cards. The returned map grows as answers arrive. At most four sites are requested at the
 * same time.
 */
export function useCardFigures(sites: readonly Listed[]): ReadonlyMap<string, Result> {
  const [figures, set] = useState<ReadonlyMap<string, Result>>(() => new Map(cache));
  const [requested] = useState(() => new Set<string>());
  const [underWay, setUnderWay] = useState(0);
  const now = useNow();
  const next = underWay < MOST_REQUESTS ? sites.find(({ domain }) => !requested.has(domain)) : undefined;
  useEffect(() => {
    if (next === undefined) return;
    requested.add(next.domain);
    setUnderWay((count) => count + 1);
    figuresOf(next).then((result) => {
      cache.set(next.domain, result);
      set(new Map(cache));
      setUnderWay((count) => count - 1);
    });
  }, [next, requested]);
  useEffect(() => {
    let at = now();
    const joined = join(
      async () => {
        const isFew = requested.size <= MOST_REFRESHED;
        try {
          const found = await refreshedAll(isFew ? [...requested] : []);
          joined.worked();
          return () => {
            at = now();
            for (const [domain, result] of found) cache.set(domain, result);
            set(new Map(cache));
          };
        } catch (error) {
          joined.failed({ shownAt: at });
          throw error;
        }
      },
      true,
      now,
    );
    return joined.leave;
  }, [requested, now]);
  return figures;
}

/**
 * Makes the figures of a card. The card of all sites adds up sites in several time zones. Their last 30 days may lie on
 * 31 dates, so only the last 30 points are used.
 */
export const figuresIn = ({ visitors, change }: Overview, { points }: Timeseries): CardFigures => ({
  ...{ visitors, change: change?.visitors ?? null },
  points: points.slice(-DAYS),
});

async function fetchFigures({ domain }: Listed): Promise<CardFigures> {
  const [sum, line] = await Promise.all([
    get<Overview>(sitePath(domain, '/stats/overview'), SUM_QUERY),
    get<Timeseries>(sitePath(domain, '/stats/timeseries'), LINE_QUERY),
  ]);
  return figuresIn(sum, line);
}

/**
 * Requests the figures of a site. If the API refuses because of too many requests in a minute, this function waits and
 * tries again.
 */
async function figuresOf(site: Listed): Promise<Result> {
  for (;;) {
    try {
      return await fetchFigures(site);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) return error as ApiError;
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}

/**
 * Cards are refreshed each minute only if at most this many cards have requested figures. With more cards, an open page
 * would send too many requests each minute.
 */
const MOST_REFRESHED = 40;

/**
 * Requests the figures of a site again. Rejects on an error that may pass, such as a busy server. Any other error is
 * returned as the result.
 */
async function refreshed(domain: string): Promise<Result> {
  try {
    return await fetchFigures({ domain });
  } catch (error) {
    if (!(error instanceof ApiError) || error.isPassing) throw error;
    return error;
  }
}

/** Requests the figures of these sites again, at most four sites at the same time. */
async function refreshedAll(domains: readonly string[]): Promise<Map<string, Result>> {
  const found = new Map<string, Result>();
  const waiting = [...domains];
  const work = async (): Promise<void> => {
    for (let domain = waiting.shift(); domain !== undefined; domain = waiting.shift())
      found.set(domain, await refreshed(domain));
  };
  await Promise.all(Array.from({ length: MOST_REQUESTS }, work));
  return found;
}

/**
 * The results of all cards. They stay here when the user leaves the site list, and are shown at once when the user
 * returns.
 */
const cache = new Map<string, Result>();
