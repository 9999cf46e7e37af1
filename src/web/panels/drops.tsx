import { useEffect, useState } from 'preact/hooks';
import type { Drops } from '../../api/stats.ts';
import { sitePath, type View } from '../address.ts';
import { useData } from '../api.ts';
import { number } from '../format.ts';
import { Answer, Empty } from '../parts/states.tsx';
import { fileName } from './csv.ts';
import { Download } from './download.tsx';
import { Card } from './panel.tsx';
import { reasonOf } from './words.ts';

type Props = { domain: string; view: View };

function Reasons({ domain, of: { from, to, drops } }: { domain: string; of: Drops }) {
  return (
    <>
      <dl class="reasons">
        {drops.map(({ reason, hits }) => (
          <div key={reason}>
            <dt>{reasonOf(reason).name}</dt>
            <dd class="count">{number(hits)}</dd>
            <dd class="soft small">{reasonOf(reason).why}</dd>
          </div>
        ))}
      </dl>
      <footer>
        <Download
          title="Not counted"
          of={{
            name: fileName(domain, 'not-counted', { from, to }),
            rows: () => [['Reason', 'Hits'], ...drops.map(({ reason, hits }) => [reasonOf(reason).name, hits])],
          }}
        />
      </footer>
    </>
  );
}

function Body({ domain, view, onGone }: Props & { onGone(): void }) {
  const loaded = useData<Drops>(sitePath(domain, '/stats/drops'), { range: view.range });
  const isGone = loaded.error?.status === 404;
  useEffect(() => {
    if (isGone) onGone();
  }, [isGone, onGone]);
  return (
    <div class="body">
      <Answer of={loaded} lines={4}>
        {(data) =>
          data.drops.length === 0 ? (
            <Empty title="Everything was counted">
              <p>What is left out, such as bots and spam, would be listed here with its reason.</p>
            </Empty>
          ) : (
            <Reasons domain={domain} of={data} />
          )
        }
      </Answer>
    </div>
  );
}

/** What came in and was left out, and why: so that numbers can be explained. */
export function DropsPanel({ domain, view }: Props) {
  const [isGone, setGone] = useState(false);
  if (isGone) return null;
  return (
    <Card id="drops" title="Not counted" view={view} class="whole low">
      {(view) => <Body domain={domain} view={view} onGone={() => setGone(true)} />}
    </Card>
  );
}
