import type { Assistants as Report } from '../../../api/answers.ts';
import { reportQuery, sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { useSiteScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { Answer } from '../../ui/loaded.tsx';
import { noneIn, SOURCES } from '../model/tables.ts';
import { exploringRow, selectionOf } from './breakdown.tsx';
import { Ranking } from './ranking.tsx';

const [REFERRERS] = SOURCES.tables;
const TITLE = 'Visitors from AI assistants';

export function Assistants() {
  const scope = useSiteScope();
  const { domain, view } = scope;
  const report = useData<Report>(sitePath(domain, '/stats/assistants'), reportQuery(view));
  return (
    <div>
      <h3>{t(TITLE)}</h3>
      <Answer of={report} lines={8}>
        {({ from, to, rows, notice_codes: notices }) => (
          <Ranking
            title={t(TITLE)}
            heading={t('Assistant')}
            unit="visitors"
            lines={rows.map(({ value, name, visitors }) => ({
              key: value,
              text: name,
              note: value,
              count: visitors,
              ...selectionOf(REFERRERS, view, value),
              onExplore: exploringRow(REFERRERS.filter, scope, value),
            }))}
            file={{
              name: 'assistants',
              span: { from, to },
              rows: () => [
                ['Assistant', 'Source', 'Visitors'],
                ...rows.map(({ value, name, visitors }) => [name, value, visitors]),
              ],
            }}
            none={t(noneIn({ none: 'No visitors from AI assistants' }, notices))}
          />
        )}
      </Answer>
    </div>
  );
}
