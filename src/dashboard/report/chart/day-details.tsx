// Shows how a day was counted: whether the day is open or sealed, and whether the server missed hits. It also shows how
// many hits were dropped and why, and how many visits are excluded. So people can explain a figure that surprises them.
// `DayDetails` sends three requests for this.
//
// Example: "Not counted: 12 hits. Bots: 9, Blocked: 3."
//
// day-notes.tsx shows `DayDetails`.

import type { Drops } from '../../../api/answers.ts';
import type { DayReport } from '../../../api/day-status.ts';
import type { Outages } from '../../../api/outages.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { dropReason } from '../../core/drop-reasons.ts';
import { number, time } from '../../core/format.ts';
import { useSiteScope } from '../../core/scope.ts';
import { plural, t } from '../../core/texts.ts';
import { customRange } from '../../dates/range.ts';
import { Link } from '../../ui/link.tsx';
import { Answer } from '../../ui/loaded.tsx';

type DayStatus = DayReport['days'][number];

const STATES: Record<DayStatus['state'], DashboardMessage> = {
  open: 'The day is still in progress.',
  sealed: 'The figures are final.',
  sums: 'Only daily totals are stored.',
};

const REASONS: Record<Outages['outages'][number]['reason'], DashboardMessage> = {
  down: 'The server was not running from {from} to {to}.',
  refused: 'From {from} to {to}, the server rejected hits, because it was overloaded or could not store them.',
};

/** Writes the URL of the page that checks receipts. That page shows all days of the site, including this day. */
const makeReceiptLink = (domain: string): string => `/verify.html#${new URLSearchParams({ site: domain })}`;

export function DayDetails({ date }: { date: string }) {
  const { domain } = useSiteScope();
  const range = { range: customRange({ from: date, to: date }) };
  const report = useData<DayReport>(sitePath(domain, '/stats/days'), range);
  const drops = useData<Drops>(sitePath(domain, '/stats/drops'), range);
  const outages = useData<Outages>(sitePath(domain, '/stats/outages'), range);
  return (
    <details class="day-details">
      <summary>{t('How this day was counted')}</summary>
      <Answer of={report} lines={4}>
        {({ days: [day] }) => (
          <DayStatusText
            day={day}
            drops={drops.data?.drops ?? []}
            outages={outages.data?.outages ?? []}
            settings={sitePath(domain, '/settings/exclusions')}
            receipts={makeReceiptLink(domain)}
          />
        )}
      </Answer>
    </details>
  );
}

type TextProps = {
  day: DayStatus | undefined;
  drops: Drops['drops'];
  outages: Outages['outages'];
  settings: string;
  receipts: string;
};

export function DayStatusText({ day, drops, outages, settings, receipts }: TextProps) {
  const dropped = drops.reduce((sum, { hits }) => sum + hits, 0);
  return (
    <dl>
      {day ? (
        <DayStatusRows {...day} settings={settings} receipts={receipts} />
      ) : (
        <div>
          <dt>{t('State')}</dt>
          <dd>{t('Nothing was counted on this day.')}</dd>
        </div>
      )}
      <div>
        <dt>{t('Not counted')}</dt>
        <dd>{plural(dropped, '{count} hit', '{count} hits')}</dd>
        {drops.map(({ reason, hits }) => (
          <dd key={reason} class="soft">
            {dropReason(reason).name}: {number(hits)}
          </dd>
        ))}
      </div>
      <div>
        <dt>{t('Complete')}</dt>
        {outages.length === 0 && <dd>{day?.complete === false ? t('No, some hits are missing') : t('Yes')}</dd>}
        {outages.map(({ from, to, reason }) => (
          <dd key={from}>{t(REASONS[reason], { from: time(from), to: time(to) })}</dd>
        ))}
      </div>
    </dl>
  );
}

function DayStatusRows({
  state,
  visitors,
  recounted_at,
  import_id,
  excluded_visits,
  settings,
  receipts,
}: DayStatus & Pick<TextProps, 'settings' | 'receipts'>) {
  return (
    <>
      <div>
        <dt>{t('State')}</dt>
        <dd>
          {t(STATES[state])}
          {import_id !== null && ` ${t('The figures come from import {number}.', { number: import_id })}`}
        </dd>
      </div>
      <div>
        <dt>{t('Visitors')}</dt>
        <dd>{number(visitors)}</dd>
      </div>
      <div>
        <dt>{t('Verified')}</dt>
        <dd>
          {recounted_at === null ? t('Not yet') : t('{time}: no differences found', { time: time(recounted_at) })}
        </dd>
      </div>
      {state !== 'open' && (
        <div>
          <dt>{t('Signed receipt')}</dt>
          <dd>
            <a href={receipts}>{t('Check the receipts of all days')}</a>
          </dd>
        </div>
      )}
      <div>
        <dt>{t('Excluded visits')}</dt>
        <dd>
          {excluded_visits === 0 ? (
            plural(0, '{count} visit', '{count} visits')
          ) : (
            <Link href={settings}>{plural(excluded_visits, '{count} visit', '{count} visits')}</Link>
          )}
        </dd>
      </div>
    </>
  );
}
