// The dialog that shows what the current visitors of a site do. It has the number of visitors in each minute, and the
// most frequent pages, sources, countries and events. All figures are sums over visitors, so that nobody can follow a
// single visitor. A stream brings new data as hits arrive. Without a stream, the data is requested every 5 s.
// A click on the number of visitors now, in the header of the report, opens `LiveNow` (site-header.tsx).

import { useEffect } from 'preact/hooks';
import type { Live } from '../../../api/answers.ts';
import { sitePath } from '../../core/address.ts';
import { type Query, useData } from '../../core/api.ts';
import { number, timeOfDay } from '../../core/format.ts';
import { useScope, useSiteScope } from '../../core/scope.ts';
import { followStream } from '../../core/stream.ts';
import { plural, t } from '../../core/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { findTable } from '../model/tables.ts';
import { lineOf } from '../panels/breakdown.tsx';
import { type Line, Name } from '../panels/rows.tsx';

const POLL_SECONDS = 5;

const LISTS = { pages: 'Pages', referrers: 'Sources', countries: 'Countries', events: 'Events' } as const;
type ListName = keyof typeof LISTS;

const [BAR, GAP, HEIGHT] = [8, 2, 64];

/** `onVisitors` is called with the number of visitors now, which the header shows too. */
type Props = { filters: Query; onVisitors(visitors: number): void; onClose(): void };

export function LiveNow({ filters, onVisitors, onClose }: Props) {
  const { domain } = useSiteScope();
  const live = useData<Live>(sitePath(domain, '/stats/live'), filters, POLL_SECONDS, followStream);
  const visitors = live.data?.visitors;
  useEffect(() => {
    if (visitors !== undefined) onVisitors(visitors);
  }, [visitors, onVisitors]);
  return (
    <Dialog title={t('Current visitors on {domain}', { domain })} onClose={onClose} isWide>
      <Answer of={live} lines={12}>
        {(data) => (
          <div class="live-now">
            <p>
              <span class="strong">{visitorsText(data.visitors)}</span>{' '}
              <span class="soft">
                · {t('The number is for the last five minutes, the chart for the last 30 minutes.')}
              </span>
            </p>
            <Minutes minutes={data.minutes} />
            <div class="live-now-lists">
              {(Object.keys(LISTS) as ListName[]).map((name) => (
                <List key={name} name={name} rows={data[name]} />
              ))}
            </div>
          </div>
        )}
      </Answer>
    </Dialog>
  );
}

const visitorsText = (count: number): string => plural(count, '{count} visitor', '{count} visitors');
const at = (minute: Live['minutes'][number]): string => timeOfDay(Date.parse(minute.at));

/** Draws the visitors of each minute as bars. Screen readers read a sentence instead. */
function Minutes({ minutes }: { minutes: Live['minutes'] }) {
  const busiest = minutes.reduce((top, one) => (one.visitors > (top?.visitors ?? 0) ? one : top), minutes[0]);
  const most = Math.max(busiest?.visitors ?? 0, 1);
  const sentence = busiest?.visitors
    ? t('Visitors per minute over the last {minutes} minutes. Highest: {count} at {time}', {
        minutes: minutes.length,
        time: at(busiest),
        count: number(busiest.visitors),
      })
    : t('No visitors in the last {minutes} minutes', { minutes: minutes.length });
  return (
    <figure class="live-now-minutes">
      <svg
        viewBox={`0 0 ${minutes.length * (BAR + GAP) - GAP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={sentence}
      >
        {minutes.map((minute, i) => {
          const height = Math.max((minute.visitors / most) * HEIGHT, 1);
          return (
            <g key={minute.at}>
              <title>{`${at(minute)}: ${visitorsText(minute.visitors)}, ${plural(minute.pageviews, '{count} pageview', '{count} pageviews')}`}</title>
              <rect
                x={i * (BAR + GAP)}
                y={HEIGHT - height}
                width={BAR}
                height={height}
                class={minute.visitors === 0 ? 'is-empty' : ''}
              />
            </g>
          );
        })}
      </svg>
      <figcaption class="soft small">
        <span>{minutes[0] && at(minutes[0])}</span>
        <span>{t('visitors per minute')}</span>
        <span>{t('now')}</span>
      </figcaption>
    </figure>
  );
}

/**
 * Shows one list, such as the pages. A click on a row sets a filter. The dialog stays open, and then shows only
 * visitors that match the filter.
 */
function List({ name, rows }: { name: ListName; rows: Live[ListName] }) {
  const scope = useScope();
  const table = findTable(name)?.table;
  return (
    <section class="live-now-list">
      <h3>{t(LISTS[name])}</h3>
      {rows.length === 0 ? (
        <p class="soft">{t('No data yet')}</p>
      ) : (
        <ol>
          {rows.map(({ value, visitors }) => {
            const whole: Line = table
              ? lineOf(table, scope, undefined, { value, visitors })
              : { key: value, text: value, count: visitors };
            const { onFilterOut: _, href: __, ...line } = whole;
            return (
              <li key={value} class={`rows-line ${line.isSelected ? 'is-selected' : ''}`}>
                <Name {...line} />
                <span>
                  {number(visitors)}
                  <span class="unseen"> {plural(visitors, 'visitor', 'visitors')}</span>
                </span>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
