// The panel of AI crawlers: a list of crawlers, and the pages that they requested most. It also shows the visitors that
// AI assistants sent. After a click on a crawler, the list of pages has only the pages of this crawler. Filters of the
// report do not apply to crawlers.
//
// crawlers.ts makes the lines, and secondary-panels.tsx shows `CrawlersPanel`.

import type { Bots } from '../../../api/answers.ts';
import { changeView, sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { useScope, useSiteScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { Empty } from '../../ui/empty.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { Tabs, tabId, tabPanelId } from '../../ui/tabs.tsx';
import { Assistants } from './assistants.tsx';
import { crawlerLines, crawlerRows, GROUPS, summary } from './crawlers.ts';
import { Panel } from './panel.tsx';
import { MOST_ROWS, Ranking } from './ranking.tsx';
import { SettingsLink } from './settings-link.tsx';

const ID = 'crawlers';
const NONE = 'No requests from AI crawlers on these days';

export function CrawlersPanel() {
  return (
    <Panel id="bots" title={t('AI crawlers and assistants')} class="is-wide">
      <Body />
    </Panel>
  );
}

function CrawlerList({ bots }: { bots: Bots }) {
  const { view } = useScope();
  const open = GROUPS.find(({ id }) => id === view.crawlers) ?? GROUPS[0];
  return (
    <div>
      <Tabs
        of={ID}
        label={t('Group AI crawlers by')}
        tabs={GROUPS.map(({ id, label }) => ({ id, label: t(label) }))}
        selected={open.id}
        onSelect={(crawlers) => changeView({ crawlers }, 'replace')}
      />
      <div role="tabpanel" id={tabPanelId(ID)} aria-labelledby={tabId(ID, open.id)}>
        <Ranking
          title={t('{panel}: {tab}', { panel: t('AI crawlers'), tab: t(open.label) })}
          heading={t(open.label)}
          unit="requests"
          lines={crawlerLines(bots, open.id, view.crawler, (id) => changeView({ crawler: id }, 'replace'))}
          file={{ name: ID, span: bots, rows: () => crawlerRows(bots) }}
          none={t(NONE)}
        />
      </div>
    </div>
  );
}

function PageList({ bots }: { bots: Bots }) {
  const { crawler } = useScope().view;
  const selected = bots.crawlers.find((one) => one.crawler === crawler);
  const title = selected
    ? t('Pages that {crawler} requests most', { crawler: selected.name })
    : t('Most requested pages');
  return (
    <div>
      <h3>{title}</h3>
      <Ranking
        title={title}
        heading={t('Page')}
        unit="requests"
        lines={bots.pages.map(({ page, requests }) => ({ key: page, text: page, count: requests }))}
        file={{
          name: `crawled-${crawler || 'pages'}`,
          span: bots,
          rows: () => [['Page', 'Requests'], ...bots.pages.map(({ page, requests }) => [page, requests])],
        }}
        none={t(NONE)}
      />
    </div>
  );
}

function Body() {
  const { domain, view } = useSiteScope();
  const { crawler } = view;
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
            <SettingsLink part="general">{t('Change the settings')}</SettingsLink>
          </Empty>
        ) : (
          <Answer of={report} lines={8}>
            {(bots) => (
              <div class="crawlers-lists">
                <CrawlerList bots={bots} />
                <PageList bots={bots} />
              </div>
            )}
          </Answer>
        )}
        <Assistants />
      </div>
    </div>
  );
}
