import { writeKeptNames } from './kept-names.ts';
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
  /** Also counts in browsers that are controlled by a program. */
  local?: boolean;
  /** The page parameters of the site, such as `['p', 't']`. */
  pageParameters?: readonly string[];
  /** Properties of every pageview. */
  props?: Properties;
};

/** Names are in lower case, such as `plan` or `plan_size`. */
export type Properties = Record<string, string | number | boolean>;

/**
 * What an event may have besides its name. The amount is a number or a decimal text, and the currency is a code such as
 * `EUR`.
 */
export type Details = {
  label?: string;
  props?: Properties;
  revenue?: { amount: number | string; currency: string };
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
export function start({ src, site, props = {}, pageParameters = [], ...options }: Options): void {
  if (!page.document) return;
  const on = Object.entries(options).filter(([, isOn]) => isOn);
  const own = Object.entries(props).map(([name, value]) => [
    `prop${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    value,
  ]);
  const dataset = { site, ...Object.fromEntries(on.map(([name]) => [name, ''])), ...Object.fromEntries(own) };
  run({ src, dataset }, writeKeptNames(pageParameters));
}

/** Counts an event, with a label or details if you pass them. Events before `start` are counted when `start` is called. */
export function daybook(name: string, details?: string | Details): void {
  if (!page.document) return;
  page.daybook ??= waiting();
  page.daybook(name, details);
}
