// The second script measures web vitals: how fast the page was. It sends them when the page is hidden or closed. Sites
// load the built file as /day-vitals.js, in addition to the first script. It uses no cookies, and its errors never
// reach the page.
//
// Invariant: it sends nothing where the first script sends nothing, and only parameters that the first script sends.
//
// Example: a page is hidden after 20 s. The script sends `{site, url, vitals: {lcp: 1204, cls: 0.02, …}}`. If the page is
// seen again and a value has grown, all values are sent again. The server takes the later ones.
import { type MetricType, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';

/** The script element. In a module, `currentScript` is null, so the element is found by its URL. */
const script = (document.currentScript ||
  document.querySelector('[type=module][data-site][src*="-vitals.js"]')) as HTMLScriptElement | null;
const { src = '', dataset = {} } = script ?? {};

let url: string;
let vitals: Record<string, number>;
let sent: string;

/** A page that the browser keeps and shows again is a new pageview, with values of its own. */
function begin(): void {
  const path = location.href.match(/[^?#]+/)?.[0] ?? '';
  const hash = 'hash' in dataset ? (location.hash.match(/#[/!][^?]*[^?/]/)?.[0] ?? '') : '';
  // The server adds the names of the site's page parameters at the front of this list.
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

/** CLS is kept with four decimals, and times in whole milliseconds. */
const note = ({ name, value }: MetricType): void => {
  vitals[name.toLowerCase()] = name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value);
};

if (script && !frameElement) {
  begin();
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) begin();
  });
  for (const watch of [onCLS, onFCP, onINP, onLCP, onTTFB]) watch(note);
  // The library's listeners run first and give their last values to `note`. These listeners run after them.
  addEventListener('visibilitychange', send);
  addEventListener('pagehide', send);
}
