// The tracking script sends a message when a page is first visible, when its path changes, and on events. Sites embed this
// file as /day.js. The script uses no cookies, and no error of it ever reaches the page. The script has at most 1,100 bytes of
// brotli. The order of the functions saves some of these bytes, and so do regexes within expressions: 40 together.
// build.mjs minifies the file.
//
// Example: somebody stays on /a for 12 s and then opens /b. The script sends `{site, url: '…/a', engaged: 12000}`, and then
// `{site, url: '…/b', referrer: '…/a'}`.

type Call = Iterable<unknown>;

type Daybook = {
  (...call: unknown[]): unknown;
  /**
   * Calls of `daybook()` that wait until the page is first visible. A site's snippet may have made some before this
   * script ran.
   */
  q?: { push(call: Call): unknown };
  /** True once a script runs, so that a second script on the page does nothing. */
  on?: boolean;
};

declare global {
  interface Window {
    daybook?: Daybook;
  }
  interface Navigator {
    globalPrivacyControl?: boolean;
  }
}

type Message = { referrer?: string | undefined; event?: string; label?: string | undefined; engaged?: number };

/** An element on the path of a DOM event, such as a link or a form. */
type Part = HTMLAnchorElement & { action?: unknown };

/** `currentScript` is null in a module, so the script element of a module is found by its attributes. */
const script = (document.currentScript || document.querySelector('[type=module][data-site]')) as HTMLScriptElement;
const daybook: Daybook = window.daybook || ((...call) => daybook.q?.push(call));
window.daybook = daybook;
daybook.q = daybook.q || [];

let referrer: string | undefined;
/** The moment since which visible time has not been sent. NaN while the page is hidden. */
let since = NaN;
/**
 * The URL of the page without its query. A change of the query alone is no new page. Undefined until the page is
 * first visible.
 */
let page: string | undefined;
let url: string;

/** Sends a message to the server. The function is async, so an error that `fetch` throws never reaches the page. */
async function send(message: Message): Promise<void> {
  try {
    if (!isExcluded())
      // A body of plain text needs no CORS preflight. A request with `keepalive` outlives its page.
      await fetch(script.src.replace(/\.js[^/]*$/, ''), {
        keepalive: true,
        method: 'POST',
        credentials: 'omit',
        body: JSON.stringify({ site: script.dataset.site, url, ...message }),
      });
  } catch {}
}

function isExcluded(): boolean | undefined {
  // A browser may forbid `localStorage`. Then visitors cannot opt out, and everything else works.
  try {
    if (/^#daybook-o(n|ff)$/.test(location.hash)) localStorage.daybook = location.hash;
    if (localStorage.daybook === '#daybook-off') return true;
  } catch {}
  return (
    (!has('local') &&
      (navigator.webdriver ||
        (/^(127[\d.]+|\[::1]|localhost|.*\.local|)$/.test(location.hostname) &&
          !(console.info('localhost needs data-local') as unknown)))) ||
    (has('respectDnt') && (navigator.doNotTrack === '1' || navigator.globalPrivacyControl))
  );
}

function start(): void {
  ['pushState' as const, 'replaceState' as const].forEach((name) => {
    const change = history[name];
    history[name] = (...state) => {
      change.call(history, ...state);
      checkPageLater();
    };
  });
  // The navigation API also reports URL changes made without `history`. Older browsers lack it, and a page may have
  // its own variable called `navigation`.
  try {
    navigation.addEventListener('currententrychange', checkPageLater);
  } catch {}
  for (const name of ['click', 'auxclick', 'submit']) addEventListener(name, onClick as (event: Event) => void, true);
  addEventListener('pagehide', checkPage);
  addEventListener('pagehide', measure);
  addEventListener('popstate', checkPageLater);
  addEventListener('pageshow', (show) => {
    // A page from the back/forward cache is visible again, so it counts as a new pageview.
    if (show.persisted) {
      since = NaN;
      page = '';
      checkPage();
    }
  });
  page = '';
  checkPage();
  if (has('404')) push(['404', location.pathname]);
  (daybook.q as unknown as Call[]).forEach(push);
  daybook.q = { push };
}

function measure(): void {
  const now = performance.now();
  if (now - since >= 1000) send({ engaged: (now - since) | 0 });
  // `document.hidden` is also true while a browser prerenders the page.
  since = document.hidden ? NaN : now;
  if (since && page == null) start();
}

function checkPage(): void {
  // A visitor may add #daybook-off to the URL of an open page to opt out.
  isExcluded();
  const path = location.href.replace(/[?#].*/, '');
  const hash = has('hash') ? location.hash.replace(/[?].*/, '') : '';
  if (page !== path + hash) {
    measure();
    referrer = page || document.referrer.replace(/[?#].*/, '') || undefined;
    page = path + hash;
    url =
      path +
      location.search.replace(/[?&](?!(utm_(source|medium|campaign)|source|ref)=)[^&]*/g, '').replace(/^&/, '?') +
      hash;
    if (!has('manual')) send({ referrer });
  }
}

function has(option: string): boolean {
  return option in script.dataset;
}

/** Sends the events of a click or of a submitted form. A submit event has no `button`. */
function onClick(click: MouseEvent): void {
  // Button 2 is the right one, which opens a menu. Button 1, in the middle, does something only on links.
  if (click.button > 1) return;
  const path = click.composedPath() as Part[];
  const link = path.find((part) => part.hostname);
  // Only forms have an `action`. A form's event is sent when the form is submitted, not when something in it is
  // clicked.
  const named = path.find((part) => part.dataset?.daybookEvent && !part.action === click.button >= 0);
  if (named && (link || !click.button)) push([named.dataset.daybookEvent, named.dataset.daybookLabel]);
  if (link) {
    const target = link.host + link.pathname;
    if (has('downloads') && /\.(pdf|zip|gz|dmg|exe|mp[34]|csv|docx|xlsx|pptx)$/i.test(target))
      push(['Download', target]);
    else if (has('outbound') && !`.${link.hostname}`.endsWith(`.${script.dataset.site}`))
      push(['Outbound link', target]);
  }
}

function push([name, about]: Call): void {
  try {
    // The path may have changed in this tick. Then the event belongs to the new page.
    checkPage();
    const event = cut(name, 120);
    if (event) send(has('manual') && event === 'pageview' ? { referrer } : { referrer, event, label: cut(about, 200) });
  } catch {}
}

/**
 * Checks the path after this tick. A page that redirects may change its path several times in a tick, and only the
 * last counts.
 */
function checkPageLater(): void {
  setTimeout(checkPage);
}

/** Cuts a text to its first `most` code points, without halves of surrogate pairs. Undefined for an empty text. */
function cut(text: unknown, most: number): string | undefined {
  return String(text ?? '')
    .match(/\P{Cs}/gu)
    ?.slice(0, most)
    .join('');
}

// A page in a frame of its own site is a part of the page around it. So nothing runs there.
if (script && !daybook.on && !frameElement) {
  daybook.on = true;
  addEventListener('visibilitychange', measure);
  measure();
}

export {};
