// This panel shows the report of one funnel of the site. A select element chooses the funnel, and the URL has the choice. If
// days are left out and the funnel has no visitors, the panel says so and draws no steps.
// secondary-panels.tsx shows `FunnelsPanel`.

import type { FunnelStep, Funnel as Report } from '../../../api/answers.ts';
import type { Funnel } from '../../../api/funnels.ts';
import type { Site } from '../../../api/sites.ts';
import { isAnyLeftOut } from '../../../stats/left-out.ts';
import { changeView, reportQuery, sitePath } from '../../core/address.ts';
import { type Loaded, useData } from '../../core/api.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { Empty } from '../../ui/empty.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { fileName } from '../details/csv.ts';
import { Download } from '../details/download.tsx';
import { FunnelSteps } from './funnel-steps.tsx';
import { Panel } from './panel.tsx';
import { SettingsLink } from './settings-link.tsx';

type Props = { domain: string; view: View; site: Site | undefined };

const KEY = 'funnel';

export function FunnelsPanel(props: Props) {
  return (
    <Panel id="funnels" title={t('Funnels')} view={props.view}>
      {(view) => <Body {...props} view={view} />}
    </Panel>
  );
}

const csvRows = (steps: readonly FunnelStep[]) => [
  ['Step', 'Type', 'Value', 'Visitors', 'Percent of the step before', 'Percent of the first step'],
  ...steps.map(({ type, value, visitors, share_of_previous, share_of_first }, i) => [
    i + 1,
    type,
    value,
    visitors,
    share_of_previous,
    share_of_first,
  ]),
];

export function FunnelReport({ of, domain }: { of: Loaded<Report>; domain: string }) {
  return (
    <Answer of={of} lines={8}>
      {({ from, to, funnel, steps, notice_codes: notices }) =>
        steps[0]?.visitors === 0 && isAnyLeftOut(notices) ? (
          <Empty title={t('Not available for these days')} />
        ) : (
          <>
            <FunnelSteps steps={steps} />
            <footer class="panel-foot">
              <Download
                title={t('Funnel {name}', { name: funnel.name })}
                file={{ name: fileName(domain, `funnel-${funnel.id}`, { from, to }), rows: () => csvRows(steps) }}
              />
            </footer>
          </>
        )
      }
    </Answer>
  );
}

function LoadedReport({ domain, view, id }: { domain: string; view: View; id: number }) {
  const report = useData<Report>(sitePath(domain, `/stats/funnels/${id}`), reportQuery(view));
  return <FunnelReport of={report} domain={domain} />;
}

function FunnelChoice({ domain, view, funnels }: { domain: string; view: View; funnels: [Funnel, ...Funnel[]] }) {
  const chosen = funnels.find(({ id }) => String(id) === view.more[KEY]) ?? funnels[0];
  return (
    <>
      <label class="panel-choice">
        <span class="unseen">{t('Funnel')}</span>
        <select
          value={String(chosen.id)}
          onChange={({ currentTarget }) =>
            changeView({ more: { ...view.more, [KEY]: currentTarget.value } }, 'replace')
          }
        >
          {funnels.map(({ id, name }) => (
            <option key={id} value={String(id)}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <LoadedReport key={chosen.id} domain={domain} view={view} id={chosen.id} />
    </>
  );
}

function Body({ domain, view, site }: Props) {
  const list = useData<Funnel[]>(sitePath(domain, '/funnels'));
  return (
    <div class="panel-body">
      <Answer of={list} lines={8}>
        {([first, ...others]) =>
          first ? (
            <FunnelChoice domain={domain} view={view} funnels={[first, ...others]} />
          ) : (
            <Empty title={t('No funnels yet')}>
              <p>{t('A funnel shows where visitors drop out. It has two to eight steps.')}</p>
              <SettingsLink site={site} part="funnels">
                {t('Add a funnel')}
              </SettingsLink>
            </Empty>
          )
        }
      </Answer>
    </div>
  );
}
