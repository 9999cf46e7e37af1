import { readFileSync } from 'node:fs';

/**
 * The names of the colours. The dashboard, all other pages, the mails and the badge use them.
 * src/dashboard/style/tokens.css has their values.
 */
const NAMES = ['ink', 'soft', 'paper', 'card', 'line', 'edge', 'accent', 'accent-strong', 'on', 'good', 'bad'] as const;
export type Colour = (typeof NAMES)[number];
/** The values of the colours. `sizes` is a list of CSS declarations: fonts, spaces, radii, and the sizes of text. */
type Palette = Record<'light' | 'dark', Record<Colour, string>> & { sizes: string };

const SIZE = /--(?:font|mono|radius|space|text)[\w-]*: [^;]+;/g;

/** The build puts the palette here. If the program runs from source, the palette is read from the style sheet. */
declare const PALETTE: Palette | undefined;

function readFromSource(): Palette {
  const css = readFileSync(new URL('../dashboard/style/tokens.css', import.meta.url), 'utf8');
  const tokens = NAMES.map((name) => {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\);`).exec(css) ?? [];
    if (!light || !dark) throw new Error(`tokens.css has no colour --${name}`);
    return { name, light, dark };
  });
  const of = (scheme: 'light' | 'dark') =>
    Object.fromEntries(tokens.map((token) => [token.name, token[scheme]])) as Palette['light'];
  return { light: of('light'), dark: of('dark'), sizes: (css.match(SIZE) ?? []).join(' ') };
}

export const { light, dark, sizes } = typeof PALETTE === 'object' ? PALETTE : readFromSource();
