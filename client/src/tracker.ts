import { run } from './script.ts';

/** These options are the attributes of the snippet. */
export type Options = {
  /** The script of your server, such as https://stats.example.com/day.js. The script is not loaded, but hits go to this server. */
  src: string;
  /** The domain of the site. */
  site: string;
  /** The part of the URL after # belongs to the page. For apps that use it to navigate. */
  hash?: boolean;
  /** Clicks on links to other sites count as events with the name "Outbound link". */
  outbound?: boolean;
  /** Clicks on links to files count as events with the name "Download". */
  downloads?: boolean;
  /** A page counts only if the app calls `daybook('pageview')`. */
  manual?: boolean;
  /** Visitors whose browser sends Do Not Track or Global Privacy Control are not counted. */
  respectDnt?: boolean;
  /** Also counts on localhost, and in browsers that are controlled by a program. */
  local?: boolean;
};

type Daybook = { (...call: unknown[]): unknown; q?: { push(call: unknown[]): unknown } };
type Page = { document?: unknown; daybook?: Daybook };

const page = globalThis as unknown as Page;

/** Makes a function that keeps calls in a list. When the script starts, it takes these calls and replaces the list. */
function waiting(): Daybook {
  const stub: Daybook = (...call) => stub.q?.push(call);
  stub.q = [];
  return stub;
}

/** Counts visits from now on, as the snippet does. A second call does nothing. Without a browser page, no call does. */
export function start({ src, site, ...options }: Options): void {
  if (!page.document) return;
  const on = Object.entries(options).filter(([, isOn]) => isOn);
  run({ src, dataset: { site, ...Object.fromEntries(on.map(([name]) => [name, ''])) } });
}

/** Counts an event, with a label if you pass one. Events before `start` are counted when `start` is called. */
export function daybook(name: string, label?: string): void {
  if (!page.document) return;
  page.daybook ??= waiting();
  page.daybook(name, label);
}
