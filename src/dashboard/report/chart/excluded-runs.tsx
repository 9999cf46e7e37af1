import { sitePath } from '../../core/address.ts';
import { useSiteScope } from '../../core/scope.ts';
import { Link } from '../../ui/link.tsx';
import type { ExcludedRun } from './excluded.ts';

type Props = { runs: readonly ExcludedRun[]; place(index: number): number };

/**
 * Shows a sign above each run, which is one or more neighbouring points with excluded visits. The sign is a link to the
 * exclusions.
 */
export function ExcludedRuns({ runs, place }: Props) {
  const { domain } = useSiteScope();
  return (
    <>
      {runs.map(({ first, last, text }) => (
        <div
          key={first}
          class="excluded-runs-sign"
          title={text}
          style={{ left: `${place(first)}%`, width: `${place(last) - place(first)}%` }}
        >
          <Link href={sitePath(domain, '/settings/exclusions')} class="excluded-runs-link" label={text}>
            {null}
          </Link>
        </div>
      ))}
    </>
  );
}
