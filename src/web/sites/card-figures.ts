import { useEffect, useState } from 'preact/hooks';
import type { Point, Timeseries } from '../../api/stats.ts';
import { changeOf } from '../../lib/percent.ts';
import { sitePath } from '../address.ts';
import { ApiError, get } from '../api.ts';

/** What a card says of the last 30 days. */
export type Figures = { visitors: number; change: number | null; points: Point[] };
type Known = ReadonlyMap<string, Figures | ApiError>;

const DAYS = 30;
const DAY_MS = 86_400_000;
const AT_ONCE = 4;
const PAUSE_MS = 10_000;

const total = (points: readonly Point[]): number => points.reduce((sum, { visitors }) => sum + visitors, 0);
const dayBack = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Of twice the days, of which the first half are those before. */
function figuresIn(points: Point[]): Figures {
  const [before, visitors] = [total(points.slice(0, DAYS)), total(points.slice(DAYS))];
  return { visitors, change: changeOf(visitors, before), points: points.slice(DAYS) };
}

/** One question in place of two. */
async function ask(domain: string): Promise<Figures> {
  const range = `${dayBack(2 * DAYS - 1)}~${dayBack(0)}`;
  return figuresIn((await get<Timeseries>(sitePath(domain, '/stats/timeseries'), { range })).points);
}

/** Whoever has hundreds of sites comes to the limit of requests a minute; then the rest come a little later. */
async function figuresOf(domain: string): Promise<Figures | ApiError> {
  for (;;) {
    try {
      return await ask(domain);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) return error as ApiError;
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }
}

/** Kept from one look at the list to the next, so that it is there at once. */
const kept = new Map<string, Figures | ApiError>();

/** The figures of the sites that are wanted, asked for a few at a time. */
export function useFigures(wanted: readonly string[]): Known {
  const [known, set] = useState<Known>(() => new Map(kept));
  const [asked] = useState(() => new Set<string>());
  const [underWay, setUnderWay] = useState(0);
  const next = underWay < AT_ONCE ? wanted.find((domain) => !asked.has(domain)) : undefined;
  useEffect(() => {
    if (next === undefined) return;
    asked.add(next);
    setUnderWay((count) => count + 1);
    figuresOf(next).then((figures) => {
      kept.set(next, figures);
      set(new Map(kept));
      setUnderWay((count) => count - 1);
    });
  }, [next, asked]);
  return known;
}
