/// <reference lib="dom" />
// What sites embed. It reads and writes no cookie, throws nothing into the page, and stays below 1,000 bytes brotli.

type Daybook = {
  (event: string, label?: string): void;
  /** Calls that wait for the script; the snippet's stub puts them here, before and after. */
  q?: { push(call: ArrayLike<unknown>): unknown };
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

type More = { referrer?: string | undefined; event?: string; label?: string | undefined; engaged?: number };

const LOCAL = /(^|\.)local(host)?$|^127\.[\d.]+$|^\[::1]$/;
const TAG = /^(utm_(source|medium|campaign)|source|ref)=/;
const FILE = /\.(pdf|zip|rar|7z|t?gz|dmg|pkg|exe|msi|apk|iso|mp[34]|mov|avi|wav|csv|txt|rtf|epub|docx?|xlsx?|pptx?)$/i;

/** At most so many code points, without halves of surrogate pairs; undefined if nothing is left. */
const cut = (value: unknown, most: number): string | undefined =>
  String(value ?? '')
    .match(/\P{Cs}/gu)
    ?.slice(0, most)
    .join('');

/** Storage may be forbidden; then nobody can opt out, and everything else works. */
function hasOptedOut(): boolean | undefined {
  try {
    if (/^#daybook-o(n|ff)$/.test(location.hash)) localStorage.daybook = location.hash;
    return localStorage.daybook === '#daybook-off';
  } catch {}
}

function track(daybook: Daybook, { src, dataset }: HTMLScriptElement): void {
  const { site } = dataset;
  const isLeftOut =
    !location.protocol.startsWith('http') ||
    (!('local' in dataset) && (navigator.webdriver || LOCAL.test(location.hostname))) ||
    ('respectDnt' in dataset && (navigator.doNotTrack === '1' || navigator.globalPrivacyControl));

  let page = '';
  let url: string;
  let referrer: string | undefined;
  let visibleSince = 0;
  let visibleFor = 0;

  /** An async function, so that whatever fetch does wrong ends in its promise. */
  async function send(more: More): Promise<void> {
    try {
      if (isLeftOut || hasOptedOut()) return;
      // Text needs no preflight, and a kept-alive request outlives its page.
      const body = JSON.stringify({ site, url, ...more });
      await fetch(src.replace(/\.js([?#].*)?$/, ''), { method: 'POST', keepalive: true, credentials: 'omit', body });
    } catch {}
  }

  function count(name: unknown, about?: unknown): void {
    try {
      const event = cut(name, 120);
      if (event) send({ referrer, event, label: cut(about, 200) });
    } catch {}
  }

  function look(): void {
    const now = performance.now();
    if (visibleSince) visibleFor += now - visibleSince;
    visibleSince = document.prerendering || document.visibilityState === 'hidden' ? 0 : now;
    if (visibleFor >= 1000) {
      send({ engaged: Math.round(visibleFor) });
      visibleFor = 0;
    }
    if (visibleSince && !page) begin();
  }

  function visit(): void {
    // Somebody may type the opt-out into the address of an open page.
    hasOptedOut();
    const { origin, pathname, search } = location;
    const hash = 'hash' in dataset ? (location.hash.split('?')[0] ?? '') : '';
    if (page === origin + pathname + hash) return;
    if (page) look();
    visibleFor = 0;
    referrer = page || document.referrer.replace(/[?#].*/, '') || undefined;
    page = origin + pathname + hash;
    const tags = search
      .slice(1)
      .split('&')
      .filter((pair) => TAG.test(pair));
    url = origin + pathname + (tags[0] ? `?${tags.join('&')}` : '') + hash;
    send({ referrer });
  }

  function clicked(click: MouseEvent): void {
    // The right button opens a menu.
    if (click.button > 1) return;
    const path = click.composedPath() as Partial<HTMLAnchorElement>[];
    const named = path.find(({ dataset }) => dataset?.daybookEvent)?.dataset;
    const link = path.find(({ protocol }) => /^https?:$/.test(protocol ?? '')) as HTMLAnchorElement | undefined;
    // The middle button does something with links only.
    if (named && (link || !click.button)) count(named.daybookEvent, named.daybookLabel);
    if (!link) return;
    const target = link.host + link.pathname;
    if ('downloads' in dataset && FILE.test(link.pathname)) count('Download', target);
    else if ('outbound' in dataset && link.host !== location.host && !`.${link.hostname}`.endsWith(`.${site}`))
      count('Outbound link', target);
  }

  function begin(): void {
    for (const name of ['pushState', 'replaceState'] as const) {
      const change = history[name];
      history[name] = (...state) => {
        change.apply(history, state);
        visit();
      };
    }
    addEventListener('popstate', visit);
    addEventListener('pagehide', look);
    addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return;
      // The time in the back/forward cache was not visible.
      visibleSince = 0;
      look();
      page = '';
      visit();
    });
    document.addEventListener('click', clicked, true);
    document.addEventListener('auxclick', clicked, true);
    visit();
    if ('404' in dataset) count('404', location.pathname);
    const push = (call: ArrayLike<unknown>): void => count(call[0], call[1]);
    (daybook.q as ArrayLike<unknown>[] | undefined)?.forEach(push);
    daybook.q = { push };
  }

  document.addEventListener('visibilitychange', look);
  document.addEventListener('prerenderingchange', look);
  look();
}

const script = document.currentScript as HTMLScriptElement | null;
window.daybook ||= (...call) => {
  (daybook.q ||= []).push(call);
};
const { daybook } = window;
if (script && !daybook.on) {
  daybook.on = true;
  track(daybook, script);
}

export {};
