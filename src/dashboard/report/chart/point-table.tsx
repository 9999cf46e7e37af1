// The points of the chart as a table, the latest first. With a comparison, each row also has the value of the
// comparison period. A click on a row does the same as a click on the point in the plot. chart.tsx shows `PointTable`
// in place of the plot.

import { useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { FIGURES, type FigureName } from '../model/figures.ts';
import { KINDS } from '../model/intervals.ts';
import { countText, lacksOf, pointTitle, previousTitle, valueText } from '../model/point-text.ts';
import type { Point } from '../model/points.ts';

type Props = { points: Point[]; figure: FigureName; name: string; onOpen(index: number): void };

export function PointTable({ points, figure, name, onOpen }: Props) {
  const { currency } = useScope();
  const isCompared = points.some(({ previous }) => previous);
  return (
    <div class="point-table">
      <table aria-label={name}>
        <thead>
          <tr>
            <th scope="col">{t(KINDS[points[0]?.interval ?? 'day'].one)}</th>
            <th scope="col" class="number">
              {t(FIGURES[figure].name)}
            </th>
            {isCompared && (
              <th scope="col" class="number">
                {t('Comparison period')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {points
            .map((point, i) => (
              <tr key={point.date}>
                <th scope="row">
                  <button type="button" class="point-table-open" onClick={() => onOpen(i)}>
                    {pointTitle(point)}
                  </button>
                  {lacksOf(point).map((lack) => (
                    <p key={lack} class="small soft">
                      {lack}
                    </p>
                  ))}
                  {point.notes.map(({ id, text }) => (
                    <p key={id} class="small soft">
                      {text}
                    </p>
                  ))}
                </th>
                <td class="number" title={point.value === null ? countText(point, figure, currency ?? '') : undefined}>
                  {valueText(point.value, figure, currency ?? '')}
                </td>
                {isCompared && (
                  <td class="number" title={previousTitle(point)}>
                    {valueText(point.previous?.value, figure, currency ?? '')}
                  </td>
                )}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </div>
  );
}
