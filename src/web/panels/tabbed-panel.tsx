import { changeView, type View } from '../address.ts';
import { type Asked, BreakdownRows, useBreakdown } from './breakdown.tsx';
import { Labels } from './event-labels.tsx';
import { Card } from './panel.tsx';
import type { Table, Tables } from './tables.ts';
import { bodyOf, Tabs, tabOf } from './tabs.tsx';

const chosenOf = ({ id, tables }: Tables, { more }: View): Table =>
  tables.find((table) => table.id === more[id]) ?? tables[0];

function Rows({ table, title, ...asked }: Asked & { table: Table; title: string }) {
  const rows = useBreakdown(asked.domain, table.id, asked.view);
  return <BreakdownRows of={rows} table={table} title={title} {...asked} />;
}

/** A panel with several tables, of which the open one stands in the address. */
export function TabbedPanel({ of, ...asked }: Asked & { of: Tables }) {
  const { id, title, tables } = of;
  const choose = (table: string) => {
    const { more } = asked.view;
    changeView({ more: { ...more, [id]: table === tables[0].id ? '' : table } }, 'replace');
  };
  return (
    <Card id={id} title={title} view={asked.view}>
      {(view) => {
        const table = chosenOf(of, view);
        const Body = table.id === 'event_labels' ? Labels : Rows;
        return (
          <>
            <Tabs of={id} label={title} tabs={tables} chosen={table.id} onChoose={choose} />
            <div class="body" role="tabpanel" id={bodyOf(id)} aria-labelledby={tabOf(id, table.id)}>
              <Body key={table.id} {...asked} view={view} table={table} title={`${title}: ${table.label}`} />
            </div>
          </>
        );
      }}
    </Card>
  );
}
