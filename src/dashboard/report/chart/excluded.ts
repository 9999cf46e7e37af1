// After the chart is shown, this file asks the API how many visits of each day are excluded. Then the tooltip of each
// point has this number. Neighbouring points with excluded visits get one sign.
//
// Example: 100 visits of 7 March are excluded. The tooltip of that day says "100 visits excluded", and there is a sign
// above the day.
//
// chart.tsx calls `useExcluded`, and excluded-runs.tsx shows the signs.

import { useMemo } from 'preact/hooks';
import type { DayReport } from '../../../api/day-status.ts';
import type { Exclusion } from '../../../api/exclusions.ts';
import { sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { boot } from '../../core/boot.ts';
import { conditionTexts } from '../../core/conditions.ts';
import { spanText } from '../../core/format.ts';
import { statsPath, useScope } from '../../core/scope.ts';
import { plural } from '../../core/texts.ts';
import { customRange, type Span } from '../../dates/range.ts';
import type { Point } from '../model/points.ts';
import { type Run, runsOf } from './runs.ts';

/** Neighbouring points with excluded visits. `text` says how many visits are excluded, and by which conditions. */
export type ExcludedRun = Run & { text: string };

type Days = DayReport['days'];

/**
 * Adds to each point how many of its visits are excluded. The page of all sites, and a page that was opened with a
 * share link, may not request these numbers. On these pages, the points do not change.
 */
export function useExcluded(points: Point[] | undefined) {
  const scope = useScope();
  const isAsked = scope.kind === 'site' && !boot.share && points !== undefined;
  const exclusions = useData<Exclusion[]>(isAsked ? sitePath(scope.domain, '/exclusions') : undefined);
  const [first, last] = [points?.[0], points?.at(-1)];
  const isAny = isAsked && (exclusions.data?.length ?? 0) > 0 && first && last;
  const report = useData<DayReport>(
    isAny ? statsPath(scope, 'days') : undefined,
    isAny ? { range: customRange({ from: first.span.from, to: last.span.to }) } : {},
  );
  const days = isAny && !report.isStale ? report.data?.days : undefined;
  return useMemo(
    () =>
      points && days
        ? { points: withExcluded(points, days), runs: findExcludedRuns(points, days, exclusions.data ?? []) }
        : { points, runs: [] },
    [points, days, exclusions.data],
  );
}

/**
 * Adds the number of excluded visits to points for days, weeks or months. The API does not have this number for hours.
 */
export const withExcluded = (points: readonly Point[], days: Days): Point[] =>
  points.map((point) => (point.interval === 'hour' ? point : { ...point, excluded: visitsIn(days, point.span) }));

export function findExcludedRuns(
  points: readonly Point[],
  days: Days,
  exclusions: readonly Exclusion[],
): ExcludedRun[] {
  return runsOf(points, ({ span }) => visitsIn(days, span) > 0).map(({ first, last }) => {
    const span = { from: points[first]?.span.from ?? '', to: points[last]?.span.to ?? '' };
    const touching = exclusions.filter(({ from, to }) => from <= span.to && (to === null || to >= span.from));
    const what = touching.map(({ filters }) => conditionTexts(filters).join(', ')).join('; ');
    const values = { days: spanText(span), what };
    return {
      first,
      last,
      text: plural(
        visitsIn(days, span),
        '{days}: {count} visit excluded ({what})',
        '{days}: {count} visits excluded ({what})',
        values,
      ),
    };
  });
}

const visitsIn = (days: Days, { from, to }: Span): number =>
  days.reduce((sum, { date, excluded_visits }) => (date >= from && date <= to ? sum + excluded_visits : sum), 0);
