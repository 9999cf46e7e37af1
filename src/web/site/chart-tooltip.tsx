import { day, number } from '../format.ts';
import type { Point, Shown } from './points.ts';
import { countText, pointTitle } from './words.ts';

const MOST_NOTES = 3;

type Props = { point: Point; shown: Shown; left: number; isRight: boolean };

/** What stands beside the point under the pointer. The slider says the same to who hears it. */
export function Tip({ point, shown, left, isRight }: Props) {
  const { before, date, notes, value } = point;
  return (
    <div class={isRight ? 'tip right' : 'tip'} style={{ left: `${left}px` }} aria-hidden="true">
      <p class="strong">{pointTitle(point)}</p>
      <p class="tip-row">{countText(point, shown)}</p>
      {before && (
        <p class="tip-row past">
          {number(before.value)} <span class="soft">{day(before.date)}</span>
        </p>
      )}
      {notes.slice(0, MOST_NOTES).map(({ id, text }) => (
        <p key={id} class="tip-row noted">
          {text}
        </p>
      ))}
      {notes.length > MOST_NOTES && <p class="soft">and {notes.length - MOST_NOTES} more</p>}
      {value !== null && <p class="soft">{date.length === 7 ? 'Click for its days' : 'Click for its notes'}</p>}
    </div>
  );
}
