import { day, number } from '../format.ts';
import type { Point, Shown } from './points.ts';
import { FIGURES, pointTitle } from './words.ts';

type Props = { points: Point[]; shown: Shown; name: string; onChoose(at: number): void };

/** The chart in words and numbers, the latest first. */
export function PointTable({ points, shown, name, onChoose }: Props) {
  const isCompared = points.some(({ before }) => before);
  return (
    <div class="point-table">
      <table aria-label={name}>
        <thead>
          <tr>
            <th scope="col">{points[0]?.date.length === 7 ? 'Month' : 'Day'}</th>
            <th scope="col" class="number">
              {FIGURES[shown].name}
            </th>
            {isCompared && (
              <th scope="col" class="number">
                Before
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {points
            .map((point, i) => (
              <tr key={point.date}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => onChoose(i)}>
                    {pointTitle(point)}
                  </button>
                  {point.notes.map(({ id, text }) => (
                    <p key={id} class="small soft">
                      {text}
                    </p>
                  ))}
                </th>
                <td class="number">{point.value === null ? '–' : number(point.value)}</td>
                {isCompared && (
                  <td class="number" title={point.before ? day(point.before.date) : ''}>
                    {point.before ? number(point.before.value) : '–'}
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
