import type { FilterName } from '../view.ts';

/** A sign of one or two letters in a colour of its own: flags and logos look different everywhere, or belong to others. */
export type BadgeOf = { letters: string; hue?: number };

/** Colours that people know; of all other names they follow from the letters. */
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

const named = (value: string, text: string): BadgeOf =>
  value === '' ? { letters: '' } : { letters: [...text][0]?.toUpperCase() ?? '', hue: hueOf(text) };

const BADGES: Partial<Record<FilterName, (value: string, text: string) => BadgeOf>> = {
  country: (value) => ({ letters: value.toUpperCase() }),
  browser: named,
  os: named,
  source: named,
};

/** The badge of a row, where rows of its kind have any. */
export const badgeOf = (name: FilterName | undefined, value: string, text: string): BadgeOf | undefined =>
  name && BADGES[name]?.(value, text);

/** Not a text of the page, because the name behind it says the same. */
export function Badge({ letters, hue }: BadgeOf) {
  return (
    <span
      class={hue === undefined ? 'badge is-plain' : 'badge'}
      data-letters={letters || '–'}
      aria-hidden="true"
      {...(hue === undefined ? {} : { style: { '--hue': hue } })}
    />
  );
}
