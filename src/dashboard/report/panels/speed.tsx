// The panel of speed: the web vitals of the measured pageviews, by page, device, country or browser. Each cell has the
// 75th percentile, by which Google judges pages, and the share of good pageviews.
//
// Example: the row /shop has `2,399 ms` and `81.0% good` under LCP. Only a site with `track_vitals` has this panel.
// secondary-panels.tsx shows `SpeedPanel`.

import { useState } from 'preact/hooks';
import type { Vitals } from '../../../api/answers.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { reportQuery, sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { hundredths, number, percent } from '../../core/format.ts';
import { readable } from '../../core/readable.ts';
import { useSiteScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { Empty } from '../../ui/empty.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { Tabs, tabId, tabPanelId } from '../../ui/tabs.tsx';
import { FigureTable } from './figure-table.tsx';
import { Panel } from './panel.tsx';
import { SettingsLink } from './settings-link.tsx';

const ID = 'speed';
const ROWS = '10';

type By = 'pages' | 'devices' | 'countries' | 'browsers';

const TABS: readonly { id: 'pages' | 'devices' | 'countries' | 'browsers'; label: DashboardMessage; filter: Filter }[] =
  [
    { id: 'pages', label: 'Page', filter: 'page' },
    { id: 'devices', label: 'Device', filter: 'device' },
    { id: 'countries', label: 'Country', filter: 'country' },
    { id: 'browsers', label: 'Browser', filter: 'browser' },
  ];
type Filter = 'page' | 'device' | 'country' | 'browser';

const COLUMNS = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const;
type Figures = Vitals['rows'][number]['lcp'];

export function SpeedPanel() {
  return (
    <Panel id={ID} title={t('Speed')} class="is-wide">
      <Body />
    </Panel>
  );
}

function Body() {
  const { domain, view } = useSiteScope();
  const [by, choose] = useState<By>('pages');
  const tab = TABS.find(({ id }) => id === by) ?? TABS[0];
  const report = useData<Vitals>(sitePath(domain, '/stats/vitals'), { ...reportQuery(view), by, limit: ROWS });
  return (
    <div class="panel-body">
      <Tabs
        of={ID}
        label={t('Group speed by')}
        tabs={TABS.map(({ id, label }) => ({ id, label: t(label) }))}
        selected={by}
        onSelect={(id: By) => choose(id)}
      />
      <div role="tabpanel" id={tabPanelId(ID)} aria-labelledby={tabId(ID, by)}>
        <Answer of={report} lines={8}>
          {(vitals) =>
            vitals.rows.length === 0 ? <Nothing /> : <Table vitals={vitals} tab={tab as (typeof TABS)[number]} />
          }
        </Answer>
      </div>
    </div>
  );
}

const Nothing = () => (
  <Empty title={t('No measurements on these days. Your pages need the second line of the snippet.')}>
    <SettingsLink part="general">{t('Show the snippet')}</SettingsLink>
  </Empty>
);

function Table({ vitals, tab }: { vitals: Vitals; tab: (typeof TABS)[number] }) {
  return (
    <>
      <FigureTable
        label={t('Rows in {title}', { title: t('Speed') })}
        name={t(tab.label)}
        figures={COLUMNS.map((name) => name.toUpperCase())}
      >
        {vitals.rows.map((row) => (
          <tr key={row.value}>
            <th scope="row">{row.value === '' ? t('Unknown') : readable(tab.filter, row.value)}</th>
            {COLUMNS.map((name) => (
              <td key={name} class="number">
                <Cell of={row[name]} isTime={name !== 'cls'} />
              </td>
            ))}
          </tr>
        ))}
      </FigureTable>
      <p class="soft small">{t('Three out of four pageviews had this value or better. Values are accurate to 2%.')}</p>
    </>
  );
}

function Cell({ of: { p75, good, count }, isTime }: { of: Figures; isTime: boolean }) {
  if (p75 === null) return <span class="soft">–</span>;
  return (
    <span title={t('{count} pageviews measured', { count })}>
      {isTime ? `${number(p75)} ms` : hundredths(p75)}
      <br />
      <span class="soft small">{t('{share} good', { share: percent(good) })}</span>
    </span>
  );
}
