import type { Drops } from '../../api/answers.ts';
import type { Outages } from '../../api/outages.ts';
import type { Receipts } from '../../api/receipts.ts';
import { sitePath } from '../address.ts';
import { useData } from '../api.ts';
import { dropReason } from '../drop-reasons.ts';
import { counted, number, time } from '../format.ts';
import { Answer } from '../parts/answer.tsx';
import { Link } from '../parts/link.tsx';
import { customRange } from '../site/range.ts';

type Receipt = Receipts['days'][number];

const STATES: Record<Receipt['state'], string> = {
  open: 'Running: it changes with every visit.',
  sealed: 'Over: what was counted stays.',
  sums: 'Kept as totals only, without single visits.',
};

const REASONS: Record<Outages['outages'][number]['reason'], string> = {
  down: 'The server was not running',
  refused: 'The server turned hits away, because it was overloaded or could not store them',
};

type Props = { domain: string; date: string };

/** How a day was counted: its state, what was left out and why, and whether anything is missing. */
export function DayReceipt({ domain, date }: Props) {
  const range = { range: customRange({ from: date, to: date }) };
  const receipts = useData<Receipts>(sitePath(domain, '/stats/days'), range);
  const drops = useData<Drops>(sitePath(domain, '/stats/drops'), range);
  const outages = useData<Outages>(sitePath(domain, '/stats/outages'), range);
  return (
    <details class="day-receipt">
      <summary>How this day was counted</summary>
      <Answer of={receipts} lines={4}>
        {({ days: [receipt] }) => (
          <ReceiptText
            receipt={receipt}
            drops={drops.data?.drops ?? []}
            outages={outages.data?.outages ?? []}
            settings={sitePath(domain, '/settings/exclusions')}
          />
        )}
      </Answer>
    </details>
  );
}

type TextProps = {
  receipt: Receipt | undefined;
  drops: Drops['drops'];
  outages: Outages['outages'];
  settings: string;
};

export function ReceiptText({ receipt, drops, outages, settings }: TextProps) {
  const dropped = drops.reduce((sum, { hits }) => sum + hits, 0);
  return (
    <dl>
      {receipt ? (
        <ReceiptRows {...receipt} settings={settings} />
      ) : (
        <div>
          <dt>State</dt>
          <dd>Nothing was counted on this day.</dd>
        </div>
      )}
      <div>
        <dt>Not counted</dt>
        <dd>{dropped === 0 ? 'Nothing' : counted(dropped, 'hit')}</dd>
        {drops.map(({ reason, hits }) => (
          <dd key={reason} class="soft">
            {dropReason(reason).name}: {number(hits)}
          </dd>
        ))}
      </div>
      <div>
        <dt>Complete</dt>
        {outages.length === 0 && <dd>{receipt?.complete === false ? 'No, hits were missed' : 'Yes'}</dd>}
        {outages.map(({ from, to, reason }) => (
          <dd key={from}>
            {REASONS[reason]}, from {time(from)} to {time(to)}.
          </dd>
        ))}
      </div>
    </dl>
  );
}

function ReceiptRows({
  state,
  visitors,
  recounted_at,
  import_id,
  excluded_visits,
  settings,
}: Receipt & { settings: string }) {
  return (
    <>
      <div>
        <dt>State</dt>
        <dd>
          {STATES[state]}
          {import_id !== null && ` It came with import ${import_id}.`}
        </dd>
      </div>
      <div>
        <dt>Visitors</dt>
        <dd>{number(visitors)}</dd>
      </div>
      <div>
        <dt>Recounted</dt>
        <dd>{recounted_at === null ? 'Not yet' : `On ${time(recounted_at)}; it added up`}</dd>
      </div>
      <div>
        <dt>Set aside</dt>
        <dd>{excluded_visits === 0 ? 'Nothing' : <Link href={settings}>{counted(excluded_visits, 'visit')}</Link>}</dd>
      </div>
    </>
  );
}
