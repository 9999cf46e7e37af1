// An emblem is the small picture at the start of a row, such as a flag or the logo of a browser. Until the picture is
// loaded, one or two letters stand in its place. If there is no picture, the letters stay. Screen readers ignore
// emblems, because they read the name in the row.
//
// Example: Firefox has its logo. An unknown browser "Foo" has an F, in a colour that is computed from the name.

import type { FilterName } from '../../core/view.ts';
import { type Kind, useDrawing } from './use-pictures.ts';

/** An emblem. `hue` is the colour of the letters. `kind` and `name` say which picture replaces the letters. */
export type EmblemOf = { letters: string; hue?: number; kind?: Kind; name?: string };

export function Emblem({ letters, hue, kind, name = '' }: EmblemOf) {
  const drawing = useDrawing(kind, name);
  if (drawing !== undefined && kind === 'flag') {
    const src = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
    return <img class="emblem is-flag" src={src} alt="" width="22" height="16" />;
  }
  return (
    <span
      class={hue === undefined ? 'emblem is-plain' : 'emblem'}
      data-letters={drawing === undefined ? letters || '–' : ''}
      aria-hidden="true"
      {...(hue === undefined ? {} : { style: { '--hue': hue } })}
    >
      {drawing === undefined ? null : (
        <svg viewBox="0 0 24 24" width="12" height="12" fill="currentColor" aria-hidden="true">
          <path d={drawing} />
        </svg>
      )}
    </span>
  );
}

/**
 * The hues, in degrees, that people know from the logos of these browsers and systems. For any other name, the hue is
 * computed from its letters.
 */
const HUES: Record<string, number> = {
  Chrome: 150,
  Firefox: 50,
  Safari: 240,
  Edge: 200,
  Opera: 20,
  Windows: 240,
  macOS: 280,
  iOS: 280,
  Android: 140,
  Linux: 90,
};

const hueOf = (name: string): number =>
  HUES[name] ?? [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 0);

const named = (value: string, text: string): EmblemOf =>
  value === ''
    ? { letters: '' }
    : { letters: [...text][0]?.toUpperCase() ?? '', hue: hueOf(text), kind: 'logo', name: text };

const EMBLEMS: Partial<Record<FilterName, (value: string, text: string) => EmblemOf>> = {
  country: (value) => ({ letters: value.toUpperCase(), kind: 'flag', name: value.toUpperCase() }),
  browser: named,
  os: named,
  source: named,
};

/**
 * Chooses the emblem of a row. `name` is the dimension of the row's value, such as the country. Returns undefined if
 * this dimension has no emblems.
 */
export const emblemOf = (name: FilterName | undefined, value: string, text: string): EmblemOf | undefined =>
  name && EMBLEMS[name]?.(value, text);
