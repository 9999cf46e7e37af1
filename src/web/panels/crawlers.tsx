import type { Site } from '../../api/sites.ts';
import type { Bots } from '../../api/stats.ts';
import { changeView, sitePath, type View } from '../address.ts';
import { useData } from '../api.ts';
import { Answer, Empty } from '../parts/states.tsx';
import { Assistants } from './assistants.tsx';
import { crawlerLines, crawlerRows, GROUPS, summary } from './crawlers.ts';
import { fileName } from './csv.ts';
import { Card } from './panel.tsx';
import { MOST, Ranking } from './ranking.tsx';
import { SettingsLink } from './settings-link.tsx';
import { bodyOf, Tabs, tabOf } from './tabs.tsx';

type Props = { domain: string; view: View; site: Site | undefined };

const ID = 'crawlers';
const NONE = 'No requests from AI crawlers in these days';

function Lists({ domain, view, bots }: { domain: string; view: View; bots: Bots }) {
  const { crawler = '', [ID]: group = GROUPS[0].id } = view.more;
  const more = (name: string, value: string) => changeView({ more: { ...view.more, [name]: value } }, 'replace');
  const chosen = bots.crawlers.find((one) => one.crawler === crawler);
  const open = GROUPS.find(({ id }) => id === group) ?? GROUPS[0];
  return (
    <div class="pair">
      <div>
        <Tabs of={ID} label="AI crawlers by" tabs={GROUPS} chosen={open.id} onChoose={(id) => more(ID, id)} />
        <div role="tabpanel" id={bodyOf(ID)} aria-labelledby={tabOf(ID, open.id)}>
          <Ranking
            title={`AI crawlers: ${open.label}`}
            word={open.label}
            unit="Requests"
            lines={crawlerLines(bots, open.id, crawler, (id) => more('crawler', id))}
            file={{ name: fileName(domain, ID, bots), rows: () => crawlerRows(bots) }}
            none={NONE}
          />
        </div>
      </div>
      <div>
        <h3>{chosen ? `Pages most read by ${chosen.name}` : 'Pages most read by crawlers'}</h3>
        <Ranking
          title="Pages read by crawlers"
          word="Page"
          unit="Requests"
          lines={bots.pages.map(({ page, requests }) => ({ key: page, text: page, count: requests }))}
          file={{
            name: fileName(domain, `crawled-${crawler || 'pages'}`, bots),
            rows: () => [['Page', 'Requests'], ...bots.pages.map(({ page, requests }) => [page, requests])],
          }}
          none={NONE}
        />
      </div>
    </div>
  );
}

function Body({ domain, view, site }: Props) {
  const { crawler = '' } = view.more;
  const loaded = useData<Bots>(sitePath(domain, '/stats/bots'), {
    range: view.range,
    limit: String(MOST),
    ...(crawler ? { crawler } : {}),
  });
  return (
    <div class="body">
      <p class="soft small lead">
        {loaded.data && loaded.data.total > 0 ? `${summary(loaded.data)} ` : ''}
        {Object.keys(view.filters).length > 0 ? 'Filters do not apply to what crawlers read.' : ''}
      </p>
      <div class="three">
        {loaded.error?.code === 'crawler_tracking_off' ? (
          <Empty title="AI crawlers are not counted on this site">
            <SettingsLink site={site} part="general">
              Change the settings
            </SettingsLink>
          </Empty>
        ) : (
          <Answer of={loaded} lines={8}>
            {(bots) => <Lists domain={domain} view={view} bots={bots} />}
          </Answer>
        )}
        <Assistants domain={domain} view={view} />
      </div>
    </div>
  );
}

/** What AI products read of the site, beside whom they sent to it. */
export function CrawlersPanel(props: Props) {
  return (
    <Card id="bots" title="AI crawlers and assistants" view={props.view} class="whole">
      {(view) => <Body {...props} view={view} />}
    </Card>
  );
}
