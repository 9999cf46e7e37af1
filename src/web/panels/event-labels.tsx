import type { Row } from '../../api/stats.ts';
import { changeView } from '../address.ts';
import { Answer, Empty } from '../parts/states.tsx';
import { type Asked, BreakdownRows, useBreakdown } from './breakdown.tsx';
import type { Table } from './tables.ts';

type Props = Asked & { table: Table; title: string };

const KEY = 'labels';

function Chosen({ rows, ...props }: Props & { rows: Row[] }) {
  const { domain, view } = props;
  const event = view.more[KEY] ?? view.filters.event ?? rows[0]?.value ?? '';
  const names = [...new Set([event, ...rows.map(({ value }) => value)])];
  const labels = useBreakdown(domain, 'event_labels', view, event);
  const head = (
    <label class="of">
      Labels of
      <select
        value={event}
        onChange={({ currentTarget }) => changeView({ more: { ...view.more, [KEY]: currentTarget.value } }, 'replace')}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  return <BreakdownRows key={event} of={labels} head={head} {...props} />;
}

/** Labels belong to an event, so it is to be chosen first; what is filtered by or seen most is proposed. */
export function Labels(props: Props) {
  const events = useBreakdown(props.domain, 'events', props.view);
  return (
    <Answer of={events} lines={8}>
      {({ rows }) =>
        rows.length === 0 ? (
          <Empty title={props.table.none}>
            <p>{props.table.hint}</p>
          </Empty>
        ) : (
          <Chosen rows={rows} {...props} />
        )
      }
    </Answer>
  );
}
