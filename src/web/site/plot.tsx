import { useEffect, useRef, useState } from 'preact/hooks';
import { dayShort } from '../format.ts';
import { Tip } from './chart-tooltip.tsx';
import { type Drawing, draw, type Listener } from './drawing.ts';
import { linesOf, type Point, type Shown } from './points.ts';
import { pointSentence } from './words.ts';

const DAY_STEPS = [1, 2, 7, 14, 28, 56];
const MONTH_STEPS = [1, 2, 3, 6, 12];

type Props = {
  points: Point[];
  shown: Shown;
  /** The day that is looked at, where it is drawn among others. */
  chosen: string | undefined;
  name: string;
  onChoose(at: number): void;
  onSelect(first: number, last: number): void;
};

/** The drawn chart. To who hears it, it is a slider through its points. */
export function Plot({ points, shown, chosen, name, onChoose, onSelect }: Props) {
  const [at, setAt] = useState<{ index: number; left: number }>();
  const root = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(undefined);
  const listener = useRef<Listener>(undefined);
  listener.current = {
    onMove: (index, left) => setAt(index === undefined ? undefined : { index, left }),
    onChoose,
    onSelect,
  };
  useEffect(() => {
    if (!root.current) return undefined;
    const made = draw(root.current, {
      onMove: (...where) => listener.current?.onMove(...where),
      onChoose: (index) => listener.current?.onChoose(index),
      onSelect: (...ends) => listener.current?.onSelect(...ends),
    });
    drawing.current = made;
    const forget = onScheme(made.recolour);
    return () => {
      forget();
      made.dispose();
    };
  }, []);
  useEffect(() => {
    setAt(undefined);
    drawing.current?.show({
      lines: linesOf(points),
      labels: points.map(({ date }) => dayShort(date)),
      steps: points[0]?.date.length === 7 ? MONTH_STEPS : DAY_STEPS,
      marked: points.flatMap(({ notes }, i) => (notes.length > 0 ? [i] : [])),
      chosen: chosen === undefined ? undefined : points.findIndex(({ date }) => date === chosen),
    });
  }, [points, chosen]);

  const end = points.length - 1;
  const index = at?.index ?? end;
  const point = points[index];
  const press = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: index - 1,
      ArrowDown: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index + 1,
      PageDown: index - 7,
      PageUp: index + 7,
      Home: 0,
      End: end,
    };
    const next = moves[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (next !== undefined) drawing.current?.moveTo(Math.max(0, Math.min(end, next)));
    else if (event.key === 'Enter' || event.key === ' ') onChoose(index);
    else return;
    event.preventDefault();
  };
  return (
    <div class="plot">
      <div
        ref={root}
        class="plot-area"
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, end)}
        aria-valuenow={Math.max(0, index)}
        aria-valuetext={point && pointSentence(point, shown)}
        onKeyDown={press}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && drawing.current?.moveTo(index)}
        onBlur={() => drawing.current?.moveTo(undefined)}
      />
      {at && point && <Tip point={point} shown={shown} left={at.left} isRight={at.index > end / 2} />}
    </div>
  );
}

/** Calls whenever the page gets light or dark: by the system, by hand, or because it goes onto paper. */
function onScheme(call: () => void): () => void {
  const media = ['(prefers-color-scheme: dark)', 'print'].map((query) => matchMedia(query));
  const theme = new MutationObserver(call);
  for (const one of media) one.addEventListener('change', call);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    for (const one of media) one.removeEventListener('change', call);
    theme.disconnect();
  };
}
