// A panel that shows one table of values, with tabs for its other tables. The URL says which table is open. A table is
// left out if the site does not store its dimension. A panel without tables is hidden.
//
// Example: the panel `DEVICES` shows browsers at first. A click on "System" writes `devices=operating_systems` to the
// URL. panels.tsx shows `TabbedPanel`.

import type { ComponentChildren } from 'preact';
import { changeView } from '../../core/address.ts';
import { useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { Tabs, tabId, tabPanelId } from '../../ui/tabs.tsx';
import { openDetails } from '../details/details-address.ts';
import { listShown } from '../model/shown-tables.ts';
import { type Table, type Tables, titleOf } from '../model/tables.ts';
import { BreakdownRows, type Totals, useBreakdown } from './breakdown.tsx';
import { EventLabels } from './event-labels.tsx';
import { Panel } from './panel.tsx';

export function TabbedPanel(props: Props) {
  const [first, ...others] = listShown(props.of.tables, useScope());
  return first === undefined ? null : (
    <Panel id={props.of.id} title={t(props.of.title)} class={props.class ?? ''}>
      <OpenTable {...props} tables={[first, ...others]} />
      {props.foot}
    </Panel>
  );
}

type BodyProps = Totals & { table: Table; title: string };
type Body = (props: BodyProps) => ComponentChildren;
/** `bodies` has components for tables that show more than a list of rows, such as a map. */
type Props = Totals & {
  of: Tables;
  class?: string;
  foot?: ComponentChildren;
  bodies?: Partial<Record<Table['id'], Body>>;
};

function OpenTable({ of, tables, class: _, foot: __, bodies, ...totals }: Props & { tables: Tables['tables'] }) {
  const { view } = useScope();
  const { id, title } = of;
  const table = openTable({ ...of, tables }, view);
  const isAlone = tables.length === 1;
  const open = (chosen: Table['id']) => changeView({ [id]: chosen === tables[0].id ? '' : chosen }, 'replace');
  const Body = bodies?.[table.id] ?? (table.id === 'event_labels' ? EventLabels : Rows);
  return (
    <>
      {isAlone ? null : (
        <Tabs
          of={id}
          label={t(title)}
          tabs={tables.map((one) => ({ id: one.id, label: t(one.label) }))}
          selected={table.id}
          onSelect={open}
        />
      )}
      <div
        class="panel-body"
        {...(isAlone ? {} : { role: 'tabpanel', id: tabPanelId(id), 'aria-labelledby': tabId(id, table.id) })}
      >
        <Body key={table.id} {...totals} table={table} title={tables.length > 1 ? titleOf(of, table) : t(title)} />
      </div>
    </>
  );
}

const openTable = ({ id, tables }: Tables, view: View): Table =>
  (id !== 'sites' && id !== 'properties' && tables.find((table) => table.id === view[id])) || tables[0];

function Rows(props: BodyProps) {
  return <BreakdownRows of={useBreakdown(props.table)} {...props} onDetails={() => openDetails(props.table)} />;
}
