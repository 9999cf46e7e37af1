import { useEffect, useState } from 'preact/hooks';
import type { Point, Timeseries } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import { changeOf } from '../../lib/percent.ts';
import { sitePath } from '../address.ts';
import { ApiError, get } from '../api.ts';
import { todayIn } from '../site/today.ts';

/** What a card shows of the last 30 days. */
export type CardFigures = { visitors: number; change: number | null; points: Point[] };
type Result = CardFigures | ApiError;
type Listed = Pick<Site, 'domain' | 'time_zone'>;

const DAYS = 30;
const MOST_REQUESTS = 4;
const RETRY_MS = 10_000;

const total = (points: readonly Point[]): number => points.reduce((sum, { visitors }) => sum + visitors, 0);

/** Of the points of 60 days: the figures of the last 30, and their change since the 30 before. */
export function figuresIn(points: Point[]): CardFigures {
  const [previous, visitors] = [total(points.slice(0, DAYS)), total(points.slice(DAYS))];
  return { visitors, change: changeOf(visitors, previous), points: points.slice(DAYS) };
}

/** 60 days up to today in a zone. */
export const rangeOfCards = (zone: string): string => `${todayIn(zone, 2 * DAYS - 1)}~${todayIn(zone)}`;

async function fetchFigures({ domain, time_zone: zone }: Listed): Promise<CardFigures> {
  const range = rangeOfCards(zone);
  return figuresIn((await get<Timeseries>(sitePath(domain, '/stats/timeseries'), { range })).points);
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
