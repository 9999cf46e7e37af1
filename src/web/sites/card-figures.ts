import { useEffect, useState } from 'preact/hooks';
import type { Overview, Point, Timeseries } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import { sitePath } from '../address.ts';
import { ApiError, get } from '../api.ts';
import { join } from '../refresh.ts';

/** What a card shows of the last 30 days. */
export type CardFigures = { visitors: number; change: number | null; points: Point[] };
type Result = CardFigures | ApiError;
type Listed = Pick<Site, 'domain'>;

const DAYS = 30;
const MOST_REQUESTS = 4;
const RETRY_MS = 10_000;

/** What is asked about the sum of a card, and about its line. */
export const SUM_QUERY = { range: `${DAYS}d`, compare_until: 'now' };
export const LINE_QUERY = { range: `${DAYS}d`, interval: 'day' };

/** Days of all sites may be of several zones, and then there is one more of them. */
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

/** With hundreds of sites the limit of requests a minute is reached; the others are requested again later. */
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

/** Asked again together with the rest of the page; of more sites the requests a minute would reach their limit. */
const MOST_REFRESHED = 40;

/** The figures of a site, or why there are none; rejects where there may be some in a moment. */
async function refreshed(domain: string): Promise<Result> {
  try {
    return await fetchFigures({ domain });
  } catch (error) {
    if (!(error instanceof ApiError) || error.isPassing) throw error;
    return error;
  }
}

/** The same of some sites, a few at a time. */
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

/** Results outlive the page with the list, so that they are there at once when it is opened again. */
const cache = new Map<string, Result>();

/** The figures of these sites as they arrive, requested a few at a time. */
export function useCardFigures(sites: readonly Listed[]): ReadonlyMap<string, Result> {
  const [figures, set] = useState<ReadonlyMap<string, Result>>(() => new Map(cache));
  const [requested] = useState(() => new Set<string>());
  const [underWay, setUnderWay] = useState(0);
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
    let at = Date.now();
    const joined = join(async () => {
      const isFew = requested.size <= MOST_REFRESHED;
      try {
        const found = await refreshedAll(isFew ? [...requested] : []);
        joined.worked();
        return () => {
          at = Date.now();
          for (const [domain, result] of found) cache.set(domain, result);
          set(new Map(cache));
        };
      } catch (error) {
        joined.failed(at);
        throw error;
      }
    }, true);
    return joined.leave;
  }, [requested]);
  return figures;
}
