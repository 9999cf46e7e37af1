// The script that sites embed. It uses no cookies, lets no error into the page, and takes at most 1,100 bytes of brotli: the order
// of the functions and the regexes in the places where they are used save 40 of them.

type Call = Iterable<unknown>;

type Daybook = {
  (...call: unknown[]): unknown;
  /** Calls that wait for the first page: those of the stub in the page, before this script runs and after. */
  q?: { push(call: Call): unknown };
  /** Set by the first of two scripts on one page. */
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

/** What an event has passed through: a link, a form, or anything else. */
type Part = HTMLAnchorElement & { action?: unknown };

/** Of a module the browser does not say which element it is. */
const script = (document.currentScript || document.querySelector('[type=module][data-site]')) as HTMLScriptElement;
const daybook: Daybook = window.daybook || ((...call) => daybook.q?.push(call));
window.daybook = daybook;
daybook.q = daybook.q || [];

let referrer: string | undefined;
/** Since when visible time has not been sent; NaN while the page is hidden. */
let since = NaN;
/** The address of the page without its query: going there again is no new page. Undefined until the page is first visible. */
let page: string | undefined;
let url: string;

/** Async, so that whatever fetch throws only rejects the promise. */
async function send(message: Message): Promise<void> {
  try {
    if (!isExcluded())
      // Plain text needs no preflight, and a keepalive request outlives its page.
      await fetch(script.src.replace(/\.js[^/]*$/, ''), {
        keepalive: true,
        method: 'POST',
        credentials: 'omit',
        body: JSON.stringify({ site: script.dataset.site, url, ...message }),
      });
  } catch {}
}

function isExcluded(): boolean | undefined {
  // Storage may be forbidden; then nobody can opt out, and everything else works.
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
  // It tells of what those do too, but not every browser has it, and a page may have a variable of that name.
  try {
    navigation.addEventListener('currententrychange', checkPageLater);
  } catch {}
  for (const name of ['click', 'auxclick', 'submit']) addEventListener(name, onClick as (event: Event) => void, true);
  addEventListener('pagehide', checkPage);
  addEventListener('pagehide', measure);
  addEventListener('popstate', checkPageLater);
  addEventListener('pageshow', (show) => {
    // It comes from the back/forward cache, where nobody saw it.
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
  // A page that is prerendered is hidden too.
  since = document.hidden ? NaN : now;
  if (since && page == null) start();
}

function checkPage(): void {
  // Somebody may type the opt-out into the address of an open page.
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

/** A form that is sent has no button. */
function onClick(click: MouseEvent): void {
  // The right button opens a menu, and the middle button does something on links only.
  if (click.button > 1) return;
  const path = click.composedPath() as Part[];
  const link = path.find((part) => part.hostname);
  // Only forms have an action, and do it when they are sent, not when something in them is clicked.
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
    // It is of the page to which this tick has gone.
    checkPage();
    const event = cut(name, 120);
    if (event) send(has('manual') && event === 'pageview' ? { referrer } : { referrer, event, label: cut(about, 200) });
  } catch {}
}

/** Several changes in one tick are those of one page that redirects; the last counts. */
function checkPageLater(): void {
  setTimeout(checkPage);
}

/** The first code points, without halves of surrogate pairs; undefined if there are none. */
function cut(text: unknown, most: number): string | undefined {
  return String(text ?? '')
    .match(/\P{Cs}/gu)
    ?.slice(0, most)
    .join('');
}

// A page in a frame of its own site is a part of that page.
if (script && !daybook.on && !frameElement) {
  daybook.on = true;
  addEventListener('visibilitychange', measure);
  measure();
}

export {};
