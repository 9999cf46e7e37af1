import { readFileSync } from 'node:fs';

/**
 * The colours of the dashboard that pages, mails and the badge also use. Their values are in src/dashboard/style/tokens.css.
 */
const NAMES = ['ink', 'soft', 'paper', 'card', 'line', 'edge', 'accent', 'accent-strong', 'on', 'good', 'bad'] as const;
export type Colour = (typeof NAMES)[number];
type Palette = Record<'light' | 'dark', Record<Colour, string>>;

/** The build puts the colours here. If the program runs from source, the stylesheet is read. */
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
  return { light: of('light'), dark: of('dark') };
}

export const { light, dark } = typeof PALETTE === 'object' ? PALETTE : readFromSource();
