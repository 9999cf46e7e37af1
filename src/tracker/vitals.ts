// This script measures web vitals: how fast the page was. The script sends the values when the page is hidden or
// closed. Sites load the built file as /day-vitals.js, in addition to the tracking script (day.ts). The script uses no
// cookies, and its errors never reach the page.
//
// Invariant: like the tracking script, this script sends nothing in frames of the same site, in automated browsers, and
// for visitors that opted out. This script sends only URL parameters that the tracking script sends too.
//
// Example: a page is hidden after 20 s. The script sends `{site, url, vitals: {lcp: 1204, cls: 0.02, …}}`. If the
// visitor comes back and a value has grown, the script sends all values again. The server uses the values that arrive
// last.
import { type MetricType, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';

/**
 * The script element. If the script is loaded as a module, `currentScript` is null, so the element is found by its URL.
 */
const script = (document.currentScript ||
  document.querySelector('[type=module][data-site][src*="-vitals.js"]')) as HTMLScriptElement | null;
const { src = '', dataset = {} } = script ?? {};

let url: string;
let vitals: Record<string, number>;
let sent: string;

/** Begins a pageview. If the visitor comes back with Back or Forward, this is a new pageview with its own values. */
function begin(): void {
  const path = location.href.match(/[^?#]+/)?.[0] ?? '';
  const hash = 'hash' in dataset ? (location.hash.match(/#[/!][^?]*[^?/]/)?.[0] ?? '') : '';
  // A page parameter is a URL parameter that the site wants to count. The server adds the names of the site's page
  // parameters to this expression, before `ref` (collect/kept-parameters.ts).
  const query = location.search.match(/(^.|&)((ref|source|utm_\w+)=[^&]*)/g) ?? [];
  url = path + query.join('').replace(/^&/, '?') + hash;
  vitals = {};
  sent = '{}';
}

function isLeftOut(): boolean {
  try {
    if (localStorage.daybook?.[11]) return true;
  } catch {
    // A browser may forbid `localStorage`. Then visitors cannot opt out.
  }
  if (!('local' in dataset) && navigator.webdriver) return true;
  return 'respectDnt' in dataset && (+(navigator.doNotTrack ?? 0) > 0 || navigator.globalPrivacyControl === true);
}

function send(): void {
  const values = JSON.stringify(vitals);
  if (!document.hidden || values === sent || isLeftOut()) return;
  sent = values;
  fetch(src.replace(/-vitals\.js[^/]*$/, ''), {
    body: JSON.stringify({ site: dataset.site, url, vitals }),
    method: 'POST',
    credentials: 'omit',
    keepalive: true,
  }).catch(() => {});
}

/**
 * Notes a value. CLS, how much the page moved, is a small number and gets four decimals. Times are whole milliseconds.
 */
const note = ({ name, value }: MetricType): void => {
  vitals[name.toLowerCase()] = name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value);
};

if (script && !frameElement) {
  begin();
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) begin();
  });
  for (const watch of [onCLS, onFCP, onINP, onLCP, onTTFB]) watch(note);
  // The listeners of web-vitals run first, and pass their last values to `note`. Then `send` sends the values.
  addEventListener('visibilitychange', send);
  addEventListener('pagehide', send);
}
