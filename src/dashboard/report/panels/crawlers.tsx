// This panel shows what AI crawlers requested: a list of crawlers, and the pages that they read most. It also shows the
// visitors that AI assistants sent. After a click on a crawler, the list has only the pages of this crawler. Filters do not
// apply to crawlers.
//
// crawlers.ts makes the lines, and secondary-panels.tsx shows `CrawlersPanel`.

import type { Bots } from '../../../api/answers.ts';
import type { Site } from '../../../api/sites.ts';
import { changeView, sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { Empty } from '../../ui/empty.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { Tabs, tabId, tabPanelId } from '../../ui/tabs.tsx';
import { fileName } from '../details/csv.ts';
import { Assistants } from './assistants.tsx';
import { crawlerLines, crawlerRows, GROUPS, summary } from './crawlers.ts';
import { Panel } from './panel.tsx';
import { MOST_ROWS, Ranking } from './ranking.tsx';
import { SettingsLink } from './settings-link.tsx';

type Props = { domain: string; view: View; site: Site | undefined };

const ID = 'crawlers';
const NONE = 'No requests from AI crawlers on these days';

type ListProps = { domain: string; view: View; bots: Bots };

export function CrawlersPanel(props: Props) {
  return (
    <Panel id="bots" title={t('AI crawlers and assistants')} view={props.view} class="is-wide">
      {(view) => <Body {...props} view={view} />}
    </Panel>
  );
}

function CrawlerList({ domain, view, bots }: ListProps) {
  const { crawler = '', [ID]: group } = view.more;
  const set = (name: string, value: string) => changeView({ more: { ...view.more, [name]: value } }, 'replace');
  const open = GROUPS.find(({ id }) => id === group) ?? GROUPS[0];
  return (
    <div>
      <Tabs
        of={ID}
        label={t('AI crawlers by')}
        tabs={GROUPS.map(({ id, label }) => ({ id, label: t(label) }))}
        selected={open.id}
        onSelect={(id) => set(ID, id)}
      />
      <div role="tabpanel" id={tabPanelId(ID)} aria-labelledby={tabId(ID, open.id)}>
        <Ranking
          title={t('{panel}: {tab}', { panel: t('AI crawlers'), tab: t(open.label) })}
          heading={t(open.label)}
          unit="requests"
          lines={crawlerLines(bots, open.id, crawler, (id) => set('crawler', id))}
          file={{ name: fileName(domain, ID, bots), rows: () => crawlerRows(bots) }}
          none={t(NONE)}
        />
      </div>
    </div>
  );
}

function PageList({ domain, view, bots }: ListProps) {
  const { crawler = '' } = view.more;
  const selected = bots.crawlers.find((one) => one.crawler === crawler);
  return (
    <div>
      <h3>
        {selected ? t('Pages {crawler} requests most', { crawler: selected.name }) : t('Pages crawlers request most')}
      </h3>
      <Ranking
        title={t('Pages requested by crawlers')}
        heading={t('Page')}
        unit="requests"
        lines={bots.pages.map(({ page, requests }) => ({ key: page, text: page, count: requests }))}
        file={{
          name: fileName(domain, `crawled-${crawler || 'pages'}`, bots),
          rows: () => [['Page', 'Requests'], ...bots.pages.map(({ page, requests }) => [page, requests])],
        }}
        none={t(NONE)}
      />
    </div>
  );
}

function Body({ domain, view, site }: Props) {
  const { crawler = '' } = view.more;
  const report = useData<Bots>(sitePath(domain, '/stats/bots'), {
    range: view.range,
    limit: String(MOST_ROWS),
    ...(crawler ? { crawler } : {}),
  });
  return (
    <div class="panel-body">
      <p class="soft small crawlers-summary">
        {report.data && report.data.total > 0 ? `${summary(report.data)} ` : ''}
        {Object.keys(view.filters).length > 0 ? t('Filters do not apply to crawlers.') : ''}
      </p>
      <div class="crawlers-columns">
        {report.error?.code === 'crawler_tracking_off' ? (
          <Empty title={t('This site does not count AI crawlers')}>
            <SettingsLink site={site} part="general">
              {t('Change the settings')}
            </SettingsLink>
          </Empty>
        ) : (
          <Answer of={report} lines={8}>
            {(bots) => (
              <div class="crawlers-lists">
                <CrawlerList domain={domain} view={view} bots={bots} />
                <PageList domain={domain} view={view} bots={bots} />
              </div>
            )}
          </Answer>
        )}
        <Assistants domain={domain} view={view} />
      </div>
    </div>
  );
}
