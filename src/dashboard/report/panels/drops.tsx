// The server drops some hits with a reason, such as bots. This panel shows their number by reason, so that the figures can be
// explained. If the server answers 404, the panel hides itself.
// secondary-panels.tsx shows `DropsPanel`.

import { useEffect, useState } from 'preact/hooks';
import type { Drops } from '../../../api/answers.ts';
import { sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { dropReason } from '../../core/drop-reasons.ts';
import { number } from '../../core/format.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { Empty } from '../../ui/empty.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { fileName } from '../details/csv.ts';
import { Download } from '../details/download.tsx';
import { Panel } from './panel.tsx';

type Props = { domain: string; view: View };

export function DropList({ domain, report: { from, to, drops } }: { domain: string; report: Drops }) {
  return (
    <>
      <dl class="drops">
        {drops.map(({ reason, hits }) => (
          <div key={reason}>
            <dt>{dropReason(reason).name}</dt>
            <dd>{number(hits)}</dd>
            <dd class="soft small">{dropReason(reason).why}</dd>
          </div>
        ))}
      </dl>
      <footer class="panel-foot">
        <Download
          title={t('Not counted')}
          file={{
            name: fileName(domain, 'not-counted', { from, to }),
            rows: () => [['Reason', 'Hits'], ...drops.map(({ reason, hits }) => [dropReason(reason).name, hits])],
          }}
        />
      </footer>
    </>
  );
}

function Body({ domain, view, onNotFound }: Props & { onNotFound(): void }) {
  const report = useData<Drops>(sitePath(domain, '/stats/drops'), { range: view.range });
  const isNotFound = report.error?.status === 404;
  useEffect(() => {
    if (isNotFound) onNotFound();
  }, [isNotFound, onNotFound]);
  return (
    <div class="panel-body">
      <Answer of={report} lines={4}>
        {(data) =>
          data.drops.length === 0 ? (
            <Empty title={t('All hits were counted')}>
              <p>{t('Ignored hits, such as bots and spam, appear here with the reason.')}</p>
            </Empty>
          ) : (
            <DropList domain={domain} report={data} />
          )
        }
      </Answer>
    </div>
  );
}

export function DropsPanel({ domain, view }: Props) {
  const [isHidden, setHidden] = useState(false);
  if (isHidden) return null;
  return (
    <Panel id="drops" title={t('Not counted')} view={view} class="is-wide">
      {(view) => <Body domain={domain} view={view} onNotFound={() => setHidden(true)} />}
    </Panel>
  );
}
