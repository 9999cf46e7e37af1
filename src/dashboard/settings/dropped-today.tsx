import type { Drops } from '../../api/answers.ts';
import { dropReason } from '../core/drop-reasons.ts';
import { number } from '../core/format.ts';
import { t } from '../core/texts.ts';

export function DroppedToday({ drops, isOpen }: { drops: Drops['drops']; isOpen: boolean }) {
  const total = drops.reduce((sum, { hits }) => sum + hits, 0);
  if (total === 0) return null;
  return (
    <details open={isOpen}>
      <summary>{t('Not counted today: {hits}', { hits: number(total) })}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Reason')}</th>
            <th scope="col" class="number">
              {t('Hits')}
            </th>
          </tr>
        </thead>
        <tbody>
          {drops.map(({ reason, hits }) => (
            <tr key={reason}>
              <th scope="row">
                {`${dropReason(reason).name} `}
                <p class="dropped-today-why">{dropReason(reason).why}</p>
              </th>
              <td class="number">{number(hits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
