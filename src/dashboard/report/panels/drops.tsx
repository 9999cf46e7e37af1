// The panel of dropped hits. The server drops some hits, such as hits of bots. The panel shows the number of dropped
// hits for each reason, so that people can explain the figures. Share links do not give access to dropped hits. So
// secondary-panels.tsx shows `DropsPanel` only without a share link. If the API answers 404, the panel disappears.

import { useEffect, useState } from 'preact/hooks';
import type { Drops } from '../../../api/answers.ts';
import { sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { dropReason } from '../../core/drop-reasons.ts';
import { number } from '../../core/format.ts';
import { useSiteScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { Empty } from '../../ui/empty.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { Download } from '../details/download.tsx';
import { Panel } from './panel.tsx';

export function DropList({ report: { from, to, drops } }: { report: Drops }) {
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
            name: 'not-counted',
            span: { from, to },
            rows: () => [['Reason', 'Hits'], ...drops.map(({ reason, hits }) => [dropReason(reason).name, hits])],
          }}
        />
      </footer>
    </>
  );
}

function Body({ onNotFound }: { onNotFound(): void }) {
  const { domain, view } = useSiteScope();
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
            <DropList report={data} />
          )
        }
      </Answer>
    </div>
  );
}

export function DropsPanel() {
  const [isHidden, setHidden] = useState(false);
  if (isHidden) return null;
  return (
    <Panel id="drops" title={t('Not counted')} class="is-wide">
      <Body onNotFound={() => setHidden(true)} />
    </Panel>
  );
}
