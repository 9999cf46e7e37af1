import type { TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Row } from '../../api/stats.ts';
import { country, number } from '../format.ts';
import type { Line } from './rows.tsx';
import { boundsOf, shadeOf } from './shades.ts';
import world from './world.json' with { type: 'json' };

const SHAPES = Object.entries(world);

/** Where src/web/world.mjs has drawn something. */
const DRAWN = '70 -4 925 440';

const sentence = (code: string, visitors: number): string =>
  `${country(code)}: ${number(visitors)} ${visitors === 1 ? 'visitor' : 'visitors'}`;

type Tip = { code: string; left: number; top: number };

/** Above the middle of a country, in percent of the map. */
function tipOf(code: string, shape: SVGPathElement): Tip {
  const { left, top, width } = shape.getBoundingClientRect();
  const map = shape.ownerSVGElement?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
  return { code, left: ((left + width / 2 - map.left) / map.width) * 100, top: ((top - map.top) / map.height) * 100 };
}

function Scale({ bounds }: { bounds: readonly number[] }) {
  return (
    <ul class="scale" aria-hidden="true">
      {bounds.map((bound) => (
        <li key={bound}>
          <span class={`shade-${shadeOf(bound, bounds)}`} />
          {number(bound)}+
        </li>
      ))}
    </ul>
  );
}

/** Where a key leads from a place in a row. */
const stepOf = (key: string, at: number, last: number): number | undefined =>
  ({ ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last })[key];

type Props = { rows: readonly Row[]; chooserOf(code: string): Pick<Line, 'isOn' | 'choose'> };

/** One stop for the tabulator key; arrows go through the countries that have visitors, from the one with most on. */
export function WorldMap({ rows, chooserOf }: Props) {
  const [tip, show] = useState<Tip>();
  const [current, stand] = useState('');
  const svg = useRef<SVGSVGElement>(null);
  const visitors = new Map(rows.filter(({ value }) => value in world).map((row) => [row.value, row.visitors]));
  const order = [...visitors.keys()];
  const bounds = boundsOf(Math.max(1, ...visitors.values()));
  const stop = visitors.has(current) ? current : order[0];

  const press = (event: TargetedKeyboardEvent<SVGSVGElement>) => {
    const at = order.indexOf(stop ?? '');
    const to = order[stepOf(event.key, at, order.length - 1) ?? at];
    if (to === undefined || !/^(Arrow.+|Home|End|Enter| )$/.test(event.key)) return;
    event.preventDefault();
    if (event.key === 'Enter' || event.key === ' ') chooserOf(to).choose?.();
    stand(to);
    svg.current?.querySelector<SVGPathElement>(`[data-code="${to}"]`)?.focus();
  };

  const shapeOf = ([code, path]: [string, string]) => {
    const count = visitors.get(code);
    if (count === undefined) return <path key={code} d={path} />;
    const { isOn = false, choose } = chooserOf(code);
    const point = ({ currentTarget }: TargetedEvent<SVGPathElement>) => show(tipOf(code, currentTarget));
    const leave = () => show(undefined);
    return (
      // biome-ignore lint/a11y/useSemanticElements: within a drawing there are no buttons
      <path
        key={code}
        d={path}
        data-code={code}
        class={`shade-${shadeOf(count, bounds)}`}
        role="button"
        aria-label={sentence(code, count)}
        aria-pressed={isOn}
        tabIndex={code === stop ? 0 : -1}
        onClick={choose}
        onPointerEnter={point}
        onFocus={point}
        onPointerLeave={leave}
        onBlur={leave}
      />
    );
  };
  const tipped = tip && visitors.get(tip.code);
  return (
    <>
      <div class="drawing">
        {/* biome-ignore lint/a11y/useSemanticElements: it is not of a form */}
        <svg ref={svg} viewBox={DRAWN} role="group" aria-label="Map of visitors by country" onKeyDown={press}>
          {SHAPES.map(shapeOf)}
        </svg>
        {tip && tipped !== undefined ? (
          <span
            class="bubble"
            aria-hidden="true"
            // To the side on which there is room.
            style={{ left: `${tip.left}%`, top: `${tip.top}%`, translate: `${-tip.left}% -100%` }}
          >
            {sentence(tip.code, tipped)}
          </span>
        ) : null}
        <p class="credit">
          {/* The licence of the country file asks for it. */}
          <a href="https://db-ip.com" target="_blank" rel="noreferrer">
            IP Geolocation by DB-IP
          </a>
        </p>
      </div>
      {order.length > 0 ? <Scale bounds={bounds} /> : null}
    </>
  );
}
