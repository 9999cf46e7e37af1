import type { Overview, Realtime, Timeseries } from '../../api/answers.ts';
import { ALL_SITES, statsPath } from '../address.ts';
import { useData } from '../api.ts';
import { number } from '../format.ts';
import { Answer } from '../parts/answer.tsx';
import { Link } from '../parts/link.tsx';
import { t } from '../texts.ts';
import { figuresIn, LINE_QUERY, SUM_QUERY } from './card-figures.ts';
import { Visitors } from './site-card.tsx';

const POLL_SECONDS = 15;

export function SumCard() {
  const sum = useData<Overview>(statsPath(undefined, 'overview'), SUM_QUERY);
  const line = useData<Timeseries>(statsPath(undefined, 'timeseries'), LINE_QUERY);
  const { data: live } = useData<Realtime>(statsPath(undefined, 'realtime'), {}, POLL_SECONDS);
  return (
    <section class="card site-card sum-card">
      <h2>
        <Link href={ALL_SITES}>{t('All sites together')}</Link>
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
