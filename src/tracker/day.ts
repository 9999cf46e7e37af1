// The tracking script sends a message when a page is first visible, when its path changes, and on events. Sites load the built
// file as /day.js. The script uses no cookies, and its errors never reach the page.
//
// The script has at most 1,100 bytes after compression with brotli. The order of the functions saves some bytes. Regular
// expressions that stand within expressions save some too. build.mjs minifies the file.
//
// Example: a visitor stays on /a for 12 s and then opens /b. The script sends `{site, url: '…/a', engaged: 12000}`, and then
// `{site, url: '…/b', referrer: '…/a'}`.

type Call = Iterable<unknown>;

type Daybook = {
  (...call: unknown[]): unknown;
  /** Calls of `daybook()` that wait until the page is first visible. The snippet of a site may add calls before this script runs. */
  q?: { push(call: Call): unknown };
  /** True once a script runs. A second script on the page then does nothing. */
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

/** In a module, `currentScript` is null. Then the script element is found by its attributes. */
const script = (document.currentScript || document.querySelector('[type=module][data-site]')) as HTMLScriptElement;
const daybook: Daybook = window.daybook || ((...call) => daybook.q?.push(call));
window.daybook = daybook;
daybook.q = daybook.q || [];

let referrer: string | undefined;
/** All visible time before this moment has been sent. The value is NaN while the page is hidden. */
let since = NaN;
/** The URL of the page without its query, because a new query alone is no new page. Undefined until the page is first visible. */
let page: string | undefined;
let url: string;

/** Cuts a text to its first `most` code points, and removes incomplete surrogate pairs. Returns undefined for an empty text. */
function cut(text: unknown, most: number): string | undefined {
  return String(text ?? '')
    .match(/\P{Cs}/gu)
    ?.slice(0, most)
    .join('');
}

/** Sends a message to the server. `fetch` may throw, but this function is async, so the error does not reach the page. */
async function send(message: Message): Promise<void> {
  try {
    if (!isExcluded())
      // A browser sends a plain text body to another host without a CORS preflight request. With `keepalive`, the request
      // finishes even if the page closes.
      await fetch(script.src.replace(/\.js[^/]*$/, ''), {
        method: 'POST',
        keepalive: true,
        credentials: 'omit',
        body: JSON.stringify({ site: script.dataset.site, url, ...message }),
      });
  } catch {}
}

function isExcluded(): boolean | undefined {
  // A browser may forbid `localStorage`. Then visitors cannot opt out, but their hits are counted.
  try {
    if (/#daybook-o(n|ff)$/.test(location.hash)) localStorage.daybook = location.hash;
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

/**
 * Checks the path after the current tick. While redirecting, a page may change its path several times in one tick, and only the
 * last path counts.
 */
function checkPageLater(): void {
  setTimeout(checkPage);
}

function checkPage(): void {
  // Visitors may opt out by adding #daybook-off to the URL of the open page. This call stores their choice.
  isExcluded();
  const path = location.href.replace(/[?#].*/, '');
  // Only `#/…` and `#!…` are routes, and `#/` alone is the page itself. Many apps replace their first URL by `#/` at once,
  // which is no second pageview.
  const hash = has('hash') ? location.hash.match(/#[/!][^?]*[^?/]/) || '' : '';
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

function measure(): void {
  const now = performance.now();
  if (now - since >= 1000) send({ engaged: (now - since) | 0 });
  // `document.hidden` is also true while a browser prerenders the page. So a page counts only once it is visible.
  since = document.hidden ? NaN : now;
  if (since) page ?? start();
}

function push([name, about]: Call): void {
  try {
    // The path may have changed just before this call. The event then belongs to the new page.
    checkPage();
    const event = cut(name, 120);
    if (event) send(has('manual') && event === 'pageview' ? { referrer } : { referrer, event, label: cut(about, 200) });
  } catch {}
}

function has(option: string): boolean {
  return option in script.dataset;
}

function start(): void {
  ['pushState' as const, 'replaceState' as const].forEach((name) => {
    const change = history[name];
    history[name] = (...state) => {
      change.call(history, ...state);
      checkPageLater();
    };
  });
  // The navigation API also reports URL changes that pages make without `history`. Older browsers do not have this API, and a
  // page may have its own variable `navigation`.
  try {
    navigation.addEventListener('currententrychange', checkPageLater);
  } catch {}
  ['click', 'auxclick', 'submit'].forEach((name) => {
    addEventListener(name, onClick as (event: Event) => void, true);
  });
  addEventListener('pagehide', checkPage);
  addEventListener('pagehide', measure);
  addEventListener('popstate', checkPageLater);
  addEventListener('pageshow', (show) => {
    // `persisted` means that the page comes from the back/forward cache. The page is visible again, which is a new pageview.
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

/** Handles clicks and submitted forms. A submit event has no `button`. */
function onClick(click: MouseEvent): void {
  // Button 2 is the right button, which opens a menu. Button 1 is the middle button, which only does something on links.
  if (click.button > 1) return;
  const path = click.composedPath() as Part[];
  const link = path.find((part) => part.hostname);
  // Only forms have an `action`. The event of a form is sent when the form is submitted, and not at clicks in the form.
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

// If a page is in a frame of its own site, the outer page already counts. So the script does nothing in the frame.
if (script && !daybook.on && !frameElement) {
  daybook.on = true;
  addEventListener('visibilitychange', measure);
  measure();
}

export {};
