import type { Realtime, Timeseries } from '../../api/answers.ts';
import { ALL_SITES, statsPath } from '../address.ts';
import { useData } from '../api.ts';
import { number } from '../format.ts';
import { Answer } from '../parts/answer.tsx';
import { Link } from '../parts/link.tsx';
import { ownZone } from '../parts/time-zone.tsx';
import { t } from '../texts.ts';
import { figuresIn, rangeOfCards } from './card-figures.ts';
import { Visitors } from './site-card.tsx';

const POLL_SECONDS = 15;

/** All sites of the list added up; it leads to their reports. */
export function SumCard() {
  const series = useData<Timeseries>(statsPath(undefined, 'timeseries'), {
    range: rangeOfCards(ownZone()),
    interval: 'day',
  });
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
        <Answer of={series} lines={2}>
          {({ points }) => <Visitors figures={figuresIn(points)} />}
        </Answer>
      </div>
    </section>
  );
}
