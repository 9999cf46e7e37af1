// The panel with the report of one funnel. People choose the funnel from a list, and the URL has their choice.
//
// A funnel cannot count totals-only days. If the range has totals-only days and the first step has no visitors, the
// figures may be wrong. So the panel shows "Not available for these days" in place of the steps.
//
// secondary-panels.tsx shows `FunnelsPanel`.

import type { FunnelStep, Funnel as Report } from '../../../api/answers.ts';
import type { Funnel } from '../../../api/funnels.ts';
import { isAnyLeftOut } from '../../../stats/left-out.ts';
import { changeView, reportQuery, sitePath } from '../../core/address.ts';
import { type Loaded, useData } from '../../core/api.ts';
import { nameTarget } from '../../core/goal-types.ts';
import { useSiteScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { Empty } from '../../ui/empty.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { Download } from '../details/download.tsx';
import { revenueQuery } from '../model/figures.ts';
import { FunnelSteps } from './funnel-steps.tsx';
import { Panel } from './panel.tsx';
import { SettingsLink } from './settings-link.tsx';

export function FunnelsPanel() {
  return (
    <Panel id="funnels" title={t('Funnels')} class="is-double">
      <Body />
    </Panel>
  );
}

const csvRows = (steps: readonly FunnelStep[], currency: string | null | undefined) => [
  [
    ...['Step', 'Type', 'Value', 'Visitors', 'Percent of the step before', 'Percent of the first step'],
    ...(currency ? [`Revenue (${currency})`] : []),
  ],
  ...steps.map((step, i) => [
    i + 1,
    step.type,
    nameTarget(step),
    step.visitors,
    step.share_of_previous,
    step.share_of_first,
    ...(currency ? [step.revenue ?? ''] : []),
  ]),
];

export function FunnelReport({ of }: { of: Loaded<Report> }) {
  const { currency } = useSiteScope();
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
                file={{ name: `funnel-${funnel.id}`, span: { from, to }, rows: () => csvRows(steps, currency) }}
              />
            </footer>
          </>
        )
      }
    </Answer>
  );
}

function LoadedReport({ id }: { id: number }) {
  const { domain, view, currency } = useSiteScope();
  const query = { ...reportQuery(view), ...revenueQuery(currency) };
  return <FunnelReport of={useData<Report>(sitePath(domain, `/stats/funnels/${id}`), query)} />;
}

function FunnelChoice({ funnels }: { funnels: [Funnel, ...Funnel[]] }) {
  const { view } = useSiteScope();
  const chosen = funnels.find(({ id }) => String(id) === view.funnel) ?? funnels[0];
  return (
    <>
      <label class="panel-choice">
        <span class="unseen">{t('Funnel')}</span>
        <select
          value={String(chosen.id)}
          onChange={({ currentTarget }) => changeView({ funnel: currentTarget.value }, 'replace')}
        >
          {funnels.map(({ id, name }) => (
            <option key={id} value={String(id)}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <LoadedReport key={chosen.id} id={chosen.id} />
    </>
  );
}

function Body() {
  const { domain } = useSiteScope();
  const list = useData<Funnel[]>(sitePath(domain, '/funnels'));
  return (
    <div class="panel-body">
      <Answer of={list} lines={8}>
        {([first, ...others]) =>
          first ? (
            <FunnelChoice funnels={[first, ...others]} />
          ) : (
            <Empty title={t('No funnels yet')}>
              <p>{t('A funnel shows where visitors drop out. It has two to eight steps.')}</p>
              <SettingsLink part="funnels">{t('Add a funnel')}</SettingsLink>
            </Empty>
          )
        }
      </Answer>
    </div>
  );
}
