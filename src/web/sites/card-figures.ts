import { useEffect, useState } from 'preact/hooks';
import type { Overview, Point, Timeseries } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import { sitePath } from '../address.ts';
import { ApiError, get } from '../api.ts';

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
  return figures;
}
