import { sitePath } from '../../core/address.ts';
import { useSiteScope } from '../../core/scope.ts';
import { Link } from '../../ui/link.tsx';
import type { ExcludedRun } from './excluded.ts';

type Props = { marks: readonly ExcludedRun[]; place(index: number): number };

/**
 * Shows a mark above neighbouring points of the chart from which visits are excluded. The mark is a link to the
 * exclusions.
 */
export function ChartMarks({ marks, place }: Props) {
  const { domain } = useSiteScope();
  return (
    <>
      {marks.map(({ first, last, text }) => (
        <div
          key={first}
          class="chart-marks-mark"
          title={text}
          style={{ left: `${place(first)}%`, width: `${place(last) - place(first)}%` }}
        >
          <Link href={sitePath(domain, '/settings/exclusions')} class="chart-marks-link" label={text}>
            {null}
          </Link>
        </div>
      ))}
    </>
  );
}
