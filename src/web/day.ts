// The script that sites embed. It uses no cookies, lets no error into the page, and stays below 1,000 bytes of brotli: the order
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

/** Null in a module, where this script does nothing. */
const script = document.currentScript as HTMLScriptElement;
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

function has(option: string): boolean {
  return option in script.dataset;
}

/** The first code points, without halves of surrogate pairs; undefined if there are none. */
function cut(text: unknown, most: number): string | undefined {
  return String(text ?? '')
    .match(/\P{Cs}/gu)
    ?.slice(0, most)
    .join('');
}

function push([name, about]: Call): void {
  try {
    const event = cut(name, 120);
    if (event) send({ referrer, event, label: cut(about, 200) });
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

function measure(): void {
  const now = Math.round(performance.now());
  if (now - since >= 1000) send({ engaged: now - since });
  // A page that is prerendered is hidden too.
  since = document.hidden ? NaN : now;
  if (since && page == null) start();
}

function start(): void {
  ['pushState' as const, 'replaceState' as const].forEach((name) => {
    const change = history[name];
    history[name] = (...state) => {
      change.apply(history, state);
      checkPage();
    };
  });
  addEventListener('click', onClick, true);
  addEventListener('auxclick', onClick, true);
  addEventListener('pagehide', measure);
  addEventListener('popstate', checkPage);
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

function onClick(click: MouseEvent): void {
  // The right button opens a menu, and the middle button does something on links only.
  if (click.button > 1) return;
  const path = click.composedPath() as HTMLAnchorElement[];
  const link = path.find((element) => element.pathname && element.host);
  const named = path.find((element) => element.dataset?.daybookEvent);
  if (named && (link || !click.button)) push([named.dataset.daybookEvent, named.dataset.daybookLabel]);
  if (link) {
    const target = link.host + link.pathname;
    if (has('downloads') && /\.(pdf|zip|gz|dmg|exe|mp[34]|csv|docx|xlsx|pptx)$/i.test(target))
      push(['Download', target]);
    else if (has('outbound') && !`.${link.hostname}`.endsWith(`.${script.dataset.site}`))
      push(['Outbound link', target]);
  }
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
    send({ referrer });
  }
}

if (script && !daybook.on) {
  daybook.on = true;
  addEventListener('visibilitychange', measure);
  measure();
}

export {};
