import type { Assistants as AssistantsData } from '../../api/stats.ts';
import { reportQuery, sitePath, type View } from '../address.ts';
import { useData } from '../api.ts';
import { Answer } from '../parts/states.tsx';
import { chooserOf } from './breakdown.tsx';
import { fileName } from './csv.ts';
import { Ranking } from './ranking.tsx';
import { SOURCES } from './tables.ts';

const [REFERRERS] = SOURCES.tables;
const TITLE = 'Visitors from AI assistants';

/** Who came because an assistant had named the site. */
export function Assistants({ domain, view }: { domain: string; view: View }) {
  const loaded = useData<AssistantsData>(sitePath(domain, '/stats/assistants'), reportQuery(view));
  return (
    <div>
      <h3>{TITLE}</h3>
      <Answer of={loaded} lines={8}>
        {({ from, to, rows }) => (
          <Ranking
            title={TITLE}
            word="Assistant"
            unit="Visitors"
            lines={rows.map(({ value, name, visitors }) => ({
              key: value,
              text: name,
              note: value,
              count: visitors,
              ...chooserOf(REFERRERS, view, value),
            }))}
            file={{
              name: fileName(domain, 'assistants', { from, to }),
              rows: () => [
                ['Assistant', 'Source', 'Visitors'],
                ...rows.map(({ value, name, visitors }) => [name, value, visitors]),
              ],
            }}
            none="Nobody came from an AI assistant"
          />
        )}
      </Answer>
    </div>
  );
}
