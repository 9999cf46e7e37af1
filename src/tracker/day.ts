// The tracking script sends a hit when a page is first visible, when its path changes, and on events. It sends a
// heartbeat with the visible time when the page is hidden or left. Sites load the built file as /day.js. The script
// uses no cookies, and its errors never reach the page.
//
// The script has at most 1,100 bytes after compression with brotli (build.mjs minifies it). To save bytes, the
// functions stand in an order that compresses well, and regular expressions stand where they are used.
//
// Example: a visitor opens /a, and opens /b 12 s later. The script sends `{site, url: '…/a'}`, then `{site, url: '…/a',
// engaged: 12000}`, and then `{site, url: '…/b', referrer: '…/a'}`.

type Call = Iterable<unknown>;

type Daybook = {
  (...call: unknown[]): unknown;
  /** Calls of `daybook()` that wait until the page is first visible. A site may add calls before this script runs. */
  q?: { push(call: Call): unknown };
  /** True once this script runs. If a page has the script twice, the second one does nothing. */
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

/** The element that a visitor clicked, or an element around it, such as a link or a form. */
type Part = HTMLAnchorElement & { action?: unknown };

/** The script element. In a module, `currentScript` is null, so the element is found by its attributes. */
const script = (document.currentScript || document.querySelector('[type=module][data-site]')) as HTMLScriptElement;
const daybook: Daybook = window.daybook || ((...call) => daybook.q?.push(call));
window.daybook = daybook;
daybook.q = daybook.q || [];

let referrer: string | undefined;
/** The moment up to which the visible time of the page was sent to the server. NaN while the page is hidden. */
let since = NaN;
/** The URL of the page without its query, because a new query alone is no new page. Undefined until the page is first visible. */
let page: string | undefined;
let url: string;

/**
 * Cuts a text to its first `most` characters. Removes halves of characters, such as one half of an emoji. Returns
 * undefined for an empty text.
 */
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
      // A browser sends a plain text body to another host without a CORS preflight request. With `keepalive`, the
      // request finishes even if the page closes.
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
 * Checks the path after the code that runs now has ended. A page that redirects may change its path several times in
 * one go, and only the last path counts.
 */
function checkPageLater(): void {
  setTimeout(checkPage);
}

function checkPage(): void {
  // Visitors may opt out by adding #daybook-off to the URL of the open page. `isExcluded` then stores their choice.
  isExcluded();
  const path = location.href.replace(/[?#].*/, '');
  // With the option `hash`, only `#/…` and `#!…` name a page. `#/` alone is ignored, because many apps add it to the
  // URL when they start, and that is no second pageview.
  const hash = has('hash') ? location.hash.match(/#[/!][^?]*[^?/]/) || '' : '';
  if (page !== path + hash) {
    measure();
    referrer = page || document.referrer.replace(/[?#].*/, '') || undefined;
    page = path + hash;
    url = path + location.search.replace(/[?&](?!(utm_\w+|source|ref)=)[^&]*/g, '').replace(/^&/, '?') + hash;
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
  // The navigation API also reports URL changes that pages make without `history`. Older browsers do not have this API,
  // or a page may have another variable `navigation`. The error is then ignored.
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
    // `persisted` means that the visitor came back to this page with the button Back or Forward. That is a new
    // pageview.
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

/** Sends the events of clicks and submitted forms. A submit event has no `button`. */
function onClick(click: MouseEvent): void {
  // Button 2 is the right button, which only opens a menu. Button 1 is the middle button, which opens links only.
  if (click.button > 1) return;
  const path = click.composedPath() as Part[];
  const link = path.find((part) => part.hostname);
  // Only forms have an `action`. The event of a form is sent when the form is submitted, not when somebody clicks in
  // it.
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

// In a frame inside a page of the same site, the script does nothing, because the outer page already counts.
if (script && !daybook.on && !frameElement) {
  daybook.on = true;
  addEventListener('visibilitychange', measure);
  measure();
}

export {};
