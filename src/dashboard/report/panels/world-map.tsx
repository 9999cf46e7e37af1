// A map of the world, which colours each country by its number of visitors. A click on a country filters by the
// country. The Tab key reaches only one country of the map, at first the country with the most visitors. From there,
// arrow keys move to the other countries with visitors.
//
// world.json has the shapes, made by scripts/world.mjs. shades.ts chooses the shades, and places.tsx shows the map next
// to the list.

import type { TargetedKeyboardEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Row } from '../../../api/answers.ts';
import { isForAnother, type Selection } from '../../core/filters.ts';
import { country, number } from '../../core/format.ts';
import { plural, t } from '../../core/texts.ts';
import { largestPart } from './map-shapes.ts';
import { boundsOf, shadeOf } from './shades.ts';
import world from './world.json' with { type: 'json' };

/** The part of the drawing that contains countries: left, top, width and height. */
const VIEW_BOX = '70 -4 925 440';

type Position = { code: string; left: number; top: number };

type Props = { rows: readonly Row[]; selectionOf(code: string): Selection };

export function WorldMap({ rows, selectionOf }: Props) {
  const [pointed, setPointed] = useState<Position>();
  const [current, setCurrent] = useState('');
  const svg = useRef<SVGSVGElement>(null);
  const visitors = new Map(rows.filter(({ value }) => value in world).map((row) => [row.value, row.visitors]));
  const codes = [...visitors.keys()];
  const bounds = boundsOf(Math.max(1, ...visitors.values()));
  const tabStop = visitors.has(current) ? current : codes[0];

  const onKeyDown = (event: TargetedKeyboardEvent<SVGSVGElement>) => {
    const index = codes.indexOf(tabStop ?? '');
    const code = codes[indexForKey(event.key, index, codes.length - 1) ?? index];
    if (code === undefined || !/^(Arrow.+|Home|End|Enter| )$/.test(event.key)) return;
    event.preventDefault();
    if (event.key === 'Enter' || event.key === ' ') selectionOf(code).onSelect?.(isForAnother(event));
    setCurrent(code);
    svg.current?.querySelector<SVGPathElement>(`[data-code="${code}"]`)?.focus();
  };
  const shapeOf = ([code, path]: [string, string]) => {
    const count = visitors.get(code);
    if (count === undefined) return <path key={code} d={path} />;
    const properties = { code, path, visitors: count, shade: shadeOf(count, bounds), isTabStop: code === tabStop };
    return <Country key={code} {...properties} {...selectionOf(code)} onPoint={setPointed} />;
  };
  const pointedVisitors = pointed && visitors.get(pointed.code);
  return (
    <>
      <div class="world-map">
        {/* biome-ignore lint/a11y/useSemanticElements: Biome suggests a fieldset, but this is a map and no form */}
        <svg
          ref={svg}
          viewBox={VIEW_BOX}
          role="group"
          aria-label={t('Map of visitors by country')}
          onKeyDown={onKeyDown}
        >
          {Object.entries(world).map(shapeOf)}
        </svg>
        {pointed && pointedVisitors !== undefined ? <Tooltip {...pointed} visitors={pointedVisitors} /> : null}
      </div>
      <p class="world-map-credit">
        {/* The licence of the country database requires this link. */}
        <a href="https://db-ip.com" target="_blank" rel="noreferrer">
          IP Geolocation by DB-IP
        </a>
      </p>
      {codes.length > 0 ? <Legend bounds={bounds} /> : null}
    </>
  );
}

const sentence = (code: string, visitors: number): string =>
  plural(visitors, '{country}: {count} visitor', '{country}: {count} visitors', { country: country(code) });

/**
 * Finds the place of the tooltip, in percent of the map: above the largest part of the country. The middle of all parts
 * would be misleading. For France, this middle is in the Atlantic.
 */
function positionOf(code: string, path: string): Position {
  const { left, width, top } = largestPart(path);
  const [x, y, mapWidth, mapHeight] = VIEW_BOX.split(' ').map(Number) as [number, number, number, number];
  return { code, left: ((left + width / 2 - x) / mapWidth) * 100, top: ((top - y) / mapHeight) * 100 };
}

type CountryProps = Selection & {
  code: string;
  path: string;
  visitors: number;
  shade: number;
  isTabStop: boolean;
  onPoint(position: Position | undefined): void;
};

/** Draws a country with visitors, which people can click. A country without visitors is only a shape. */
function Country({ code, path, visitors, shade, isTabStop, isSelected = false, onSelect, onPoint }: CountryProps) {
  const enter = () => onPoint(positionOf(code, path));
  const leave = () => onPoint(undefined);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing in SVG cannot contain a button element
    <path
      d={path}
      data-code={code}
      class={`world-map-shade is-${shade}`}
      role="button"
      aria-label={sentence(code, visitors)}
      aria-pressed={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      onClick={(event) => onSelect?.(isForAnother(event))}
      onPointerEnter={enter}
      onFocus={enter}
      onPointerLeave={leave}
      onBlur={leave}
    />
  );
}

function Legend({ bounds }: { bounds: readonly number[] }) {
  return (
    <ul class="world-map-legend" aria-hidden="true">
      {bounds.map((bound) => (
        <li key={bound}>
          <span class={`world-map-shade is-${shadeOf(bound, bounds)}`} />
          {number(bound)}+
        </li>
      ))}
    </ul>
  );
}

function Tooltip({ code, left, top, visitors }: Position & { visitors: number }) {
  return (
    <span
      class="world-map-tooltip"
      aria-hidden="true"
      // `translate` moves the tooltip toward the side with more room. For example, near the right edge of the map, it
      // moves to the left.
      style={{ left: `${left}%`, top: `${top}%`, translate: `${-left}% -100%` }}
    >
      {sentence(code, visitors)}
    </span>
  );
}

const indexForKey = (key: string, index: number, last: number): number | undefined =>
  ({ ArrowRight: index + 1, ArrowDown: index + 1, ArrowLeft: index - 1, ArrowUp: index - 1, Home: 0, End: last })[key];
