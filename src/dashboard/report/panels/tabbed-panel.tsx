import { changeView } from '../../core/address.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { Tabs, tabId, tabPanelId } from '../../ui/tabs.tsx';
import { openDetails } from '../details/details-address.ts';
import { type Table, type Tables, titleOf } from '../model/tables.ts';
import { BreakdownRows, type ReportProps, useBreakdown } from './breakdown.tsx';
import { EventLabels } from './event-labels.tsx';
import { Panel } from './panel.tsx';

/** Shows one table of a panel, with tabs for the others. The URL says which table is open. */
export function TabbedPanel({ of, ...report }: ReportProps & { of: Tables }) {
  const { id, title, tables } = of;
  const isAlone = tables.length === 1;
  const open = (table: string) => {
    const { more } = report.view;
    changeView({ more: { ...more, [id]: table === tables[0].id ? '' : table } }, 'replace');
  };
  return (
    <Panel id={id} title={t(title)} view={report.view}>
      {(view) => {
        const table = openTable(of, view);
        const Body = table.id === 'event_labels' ? EventLabels : Rows;
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
              <Body key={table.id} {...report} view={view} table={table} title={titleOf(of, table)} />
            </div>
          </>
        );
      }}
    </Panel>
  );
}

const openTable = ({ id, tables }: Tables, { more }: View): Table =>
  tables.find((table) => table.id === more[id]) ?? tables[0];

function Rows({ table, title, ...report }: ReportProps & { table: Table; title: string }) {
  const rows = useBreakdown(report.domain, table, report.view);
  const open = () => openDetails(report.view, table);
  return <BreakdownRows of={rows} table={table} title={title} {...report} onDetails={open} />;
}
