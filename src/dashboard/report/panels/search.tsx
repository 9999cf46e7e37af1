// The panel of searches on Google, from imported files of Google's Search Console. It lists search queries, pages,
// countries or devices, with their clicks, impressions and average position. These figures do not count visits, and
// filters do not apply.
//
// Example: the row `shoes` has 8 clicks in 100 impressions, which are 8%, and the average position 1.25. Only a site
// with imported searches has this panel. panels.tsx shows `SearchPanel`.

import { useState } from 'preact/hooks';
import type { Searches } from '../../../api/searches.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { reportQuery, sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { day, number, percent } from '../../core/format.ts';
import { readable } from '../../core/readable.ts';
import { useSiteScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { Empty } from '../../ui/empty.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { Tabs, tabId, tabPanelId } from '../../ui/tabs.tsx';
import { FigureTable } from './figure-table.tsx';
import { Panel } from './panel.tsx';

const ID = 'search';
const SHOWN = '10';

type By = Searches['by'];
type Row = Searches['rows'][number];

const TABS: readonly { id: By; label: DashboardMessage; name(value: string): string }[] = [
  { id: 'query', label: 'Search query', name: (value) => value },
  { id: 'page', label: 'Page', name: (value) => readable('page', value) },
  { id: 'country', label: 'Country', name: (value) => readable('country', value) },
  { id: 'device', label: 'Device', name: (value) => readable('device', value) },
];
type Tab = (typeof TABS)[number];

export function SearchPanel() {
  return (
    <Panel id={ID} title={t('Searches on Google')} class="is-wide">
      <Body />
    </Panel>
  );
}

function Body() {
  const { domain, view } = useSiteScope();
  const [by, choose] = useState<By>('query');
  const tab = TABS.find(({ id }) => id === by) as Tab;
  const { range } = reportQuery(view);
  const report = useData<Searches>(sitePath(domain, '/stats/search'), { range, by, limit: SHOWN });
  return (
    <div class="panel-body">
      <Tabs
        of={ID}
        label={t('Group searches by')}
        tabs={TABS.map(({ id, label }) => ({ id, label: t(label) }))}
        selected={by}
        onSelect={(id: By) => choose(id)}
      />
      <div role="tabpanel" id={tabPanelId(ID)} aria-labelledby={tabId(ID, by)}>
        <Answer of={report} lines={8}>
          {(searches) => <Found searches={searches} tab={tab} />}
        </Answer>
      </div>
    </div>
  );
}

function Found({ searches, tab }: { searches: Searches; tab: Tab }) {
  const { rows, totals, left_out } = searches;
  return (
    <>
      {rows.length === 0 ? <Empty title={t('No imported searches on these days')} /> : <Table rows={rows} tab={tab} />}
      {totals && (
        <p class="soft small">
          {t(
            'All searches from {first} to {last}: {clicks} clicks, {impressions} impressions. Google hides rare queries, so the rows add up to less.',
            {
              ...{ first: day(totals.first), last: day(totals.last) },
              ...{ clicks: number(totals.clicks), impressions: number(totals.impressions) },
            },
          )}
        </p>
      )}
      {left_out > 0 && (
        <p class="soft small">
          {t('Some imported files also cover days outside this range. Their rows are left out. Choose a longer range.')}
        </p>
      )}
    </>
  );
}

function Table({ rows, tab }: { rows: readonly Row[]; tab: Tab }) {
  return (
    <FigureTable
      label={t('Rows in {title}', { title: t('Searches on Google') })}
      name={t(tab.label)}
      figures={[t('Clicks'), t('Impressions'), t('Click rate'), t('Position')]}
    >
      {rows.map((row) => (
        <tr key={row.value}>
          <th scope="row">{tab.name(row.value)}</th>
          <td class="number">{number(row.clicks)}</td>
          <td class="number">{number(row.impressions)}</td>
          <td class="number">{percent(row.ctr)}</td>
          <td class="number">{row.position === null ? '–' : number(row.position)}</td>
        </tr>
      ))}
    </FigureTable>
  );
}
