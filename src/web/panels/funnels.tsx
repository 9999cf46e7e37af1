import type { Funnel } from '../../api/funnels.ts';
import type { Site } from '../../api/sites.ts';
import type { Funnel as FunnelReport } from '../../api/stats.ts';
import { changeView, reportQuery, sitePath, type View } from '../address.ts';
import { useData } from '../api.ts';
import { Answer, Empty } from '../parts/states.tsx';
import { fileName } from './csv.ts';
import { Download } from './download.tsx';
import { Steps } from './funnel-steps.tsx';
import { Card } from './panel.tsx';
import { SettingsLink } from './settings-link.tsx';

type Props = { domain: string; view: View; site: Site | undefined };

const KEY = 'funnel';

function Picture({ domain, view, funnel }: { domain: string; view: View; funnel: Funnel }) {
  const loaded = useData<FunnelReport>(sitePath(domain, `/stats/funnels/${funnel.id}`), reportQuery(view));
  return (
    <Answer of={loaded} lines={8}>
      {({ from, to, steps }) => (
        <>
          <Steps steps={steps} />
          <footer>
            <Download
              title={`Funnel ${funnel.name}`}
              of={{
                name: fileName(domain, `funnel-${funnel.id}`, { from, to }),
                rows: () => [
                  ['Step', 'Type', 'Value', 'Visitors', 'Percent of the step before', 'Percent of the first step'],
                  ...steps.map(({ type, value, visitors, share_of_previous, share_of_first }, i) => [
                    i + 1,
                    type,
                    value,
                    visitors,
                    share_of_previous,
                    share_of_first,
                  ]),
                ],
              }}
            />
          </footer>
        </>
      )}
    </Answer>
  );
}

function Chosen({ domain, view, funnels }: { domain: string; view: View; funnels: [Funnel, ...Funnel[]] }) {
  const funnel = funnels.find(({ id }) => String(id) === view.more[KEY]) ?? funnels[0];
  return (
    <>
      <label class="of">
        <span class="unseen">Funnel</span>
        <select
          value={String(funnel.id)}
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
      <Picture key={funnel.id} domain={domain} view={view} funnel={funnel} />
    </>
  );
}

function Body({ domain, view, site }: Props) {
  const loaded = useData<Funnel[]>(sitePath(domain, '/funnels'));
  return (
    <div class="body">
      <Answer of={loaded} lines={8}>
        {([first, ...others]) =>
          first ? (
            <Chosen domain={domain} view={view} funnels={[first, ...others]} />
          ) : (
            <Empty title="No funnels yet">
              <p>A funnel shows where visitors stop on their way through two to eight steps.</p>
              <SettingsLink site={site} part="funnels">
                Add a funnel
              </SettingsLink>
            </Empty>
          )
        }
      </Answer>
    </div>
  );
}

export function FunnelsPanel(props: Props) {
  return (
    <Card id="funnels" title="Funnels" view={props.view}>
      {(view) => <Body {...props} view={view} />}
    </Card>
  );
}
