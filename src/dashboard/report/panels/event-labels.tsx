import type { Row } from '../../../api/answers.ts';
import { changeView } from '../../core/address.ts';
import { useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { Empty } from '../../ui/empty.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { openDetails } from '../details/details-address.ts';
import { EVENTS, noneIn, type Table } from '../model/tables.ts';
import { BreakdownRows, type Totals, useBreakdown } from './breakdown.tsx';

type Props = Totals & { table: Table; title: string };

const [NAMES] = EVENTS.tables;

/**
 * Shows the labels of the event that the user has chosen. If the user has chosen no event, the event of the report's
 * filter is shown. If the report is not filtered by event, the event with the most visitors is shown.
 */
export function EventLabels(props: Props) {
  const events = useBreakdown(NAMES);
  if (events.data && events.data.rows.length > 0) return <LabelsOfEvent events={events.data.rows} {...props} />;
  return (
    <Answer of={events} lines={8}>
      {({ notice_codes: notices }) => {
        const { none, hint } = props.table;
        const title = noneIn(props.table, notices);
        return <Empty title={t(title)}>{hint && title === none && <p>{t(hint)}</p>}</Empty>;
      }}
    </Answer>
  );
}

function LabelsOfEvent({ events, ...props }: Props & { events: readonly Row[] }) {
  const { view } = useScope();
  const { table } = props;
  const event = view.labels || (view.filters.event?.[0] ?? events[0]?.value ?? '');
  const names = [...new Set([event, ...events.map(({ value }) => value)])];
  const labels = useBreakdown(table, { event });
  const head = (
    <label class="panel-choice">
      {t('Show labels of the event')}
      <select value={event} onChange={({ currentTarget }) => changeView({ labels: currentTarget.value }, 'replace')}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  const open = () => openDetails(table, { labels: event });
  return <BreakdownRows key={event} of={labels} head={head} parameters={{ event }} {...props} onDetails={open} />;
}
