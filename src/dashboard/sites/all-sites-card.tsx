import type { Overview, Realtime, Timeseries } from '../../api/answers.ts';
import { ALL_SITES } from '../core/address.ts';
import { useData } from '../core/api.ts';
import { number } from '../core/format.ts';
import { t } from '../core/texts.ts';
import { Link } from '../ui/link.tsx';
import { Answer } from '../ui/loaded.tsx';
import { figuresIn, LINE_QUERY, SUM_QUERY } from './card-figures.ts';
import { Visitors } from './site-card.tsx';

const POLL_SECONDS = 15;

export function SumCard() {
  const sum = useData<Overview>('/stats/overview', SUM_QUERY);
  const line = useData<Timeseries>('/stats/timeseries', LINE_QUERY);
  const { data: live } = useData<Realtime>('/stats/realtime', {}, POLL_SECONDS);
  return (
    <section class="card site-card sum-card">
      <h2>
        <Link href={ALL_SITES}>{t('All sites combined')}</Link>
      </h2>
      <p class={live?.visitors ? 'site-card-now' : 'site-card-now soft'}>
        {live ? t('{visitors} now', { visitors: number(live.visitors) }) : ' '}
      </p>
      <div class="site-card-figures">
        <Answer of={sum} lines={2}>
          {(figures) => (
            <Answer of={line} lines={2}>
              {(series) => <Visitors figures={figuresIn(figures, series)} />}
            </Answer>
          )}
        </Answer>
      </div>
    </section>
  );
}
