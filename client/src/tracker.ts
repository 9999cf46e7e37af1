import { run } from './script.ts';

/** The same as the attributes of the snippet's tag. */
export type Options = {
  /** As in the snippet, such as https://stats.example.com/day.js. It is not loaded, but what is counted goes to that server. */
  src: string;
  /** The domain of the site. */
  site: string;
  /** What follows # belongs to the page, for apps that navigate by it. */
  hash?: boolean;
  /** Clicks on links to elsewhere are events named Outbound link. */
  outbound?: boolean;
  /** Clicks on files are events named Download. */
  downloads?: boolean;
  /** Pages are counted only where the app calls `daybook('pageview')`. */
  manual?: boolean;
  /** Who sends Do Not Track or Global Privacy Control is not counted. */
  respectDnt?: boolean;
  /** Counts on localhost and in browsers that a program drives too. */
  local?: boolean;
};

type Daybook = { (...call: unknown[]): unknown; q?: { push(call: unknown[]): unknown } };
type Page = { document?: unknown; daybook?: Daybook };

const page = globalThis as unknown as Page;

/** Keeps calls until the script runs, which then puts itself in the place of the list. */
function waiting(): Daybook {
  const stub: Daybook = (...call) => stub.q?.push(call);
  stub.q = [];
  return stub;
}

/** Counts visits from now on, as the snippet does. A second time it does nothing, and neither where there is no page. */
export function start({ src, site, ...options }: Options): void {
  if (!page.document) return;
  const on = Object.entries(options).filter(([, isOn]) => isOn);
  run({ src, dataset: { site, ...Object.fromEntries(on.map(([name]) => [name, ''])) } });
}

/** Counts an event, with a label if you like. What comes before `start` is counted then. */
export function daybook(name: string, label?: string): void {
  if (!page.document) return;
  page.daybook ??= waiting();
  page.daybook(name, label);
}
