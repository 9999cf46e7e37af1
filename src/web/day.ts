// What sites embed. It reads and writes no cookie, throws nothing into the page, and stays below 1,000 bytes brotli.

type Call = ArrayLike<unknown>;

type Daybook = {
  (...call: unknown[]): void;
  /** Calls that wait for the script; the stub in the page puts them here. */
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

const LOCAL = /(^|\.)local(host)?$|^127\.[\d.]+$|^\[::1]$|^$/;
const TAGS = /[?&](utm_(source|medium|campaign)|source|ref)=[^&]*/g;
const FILE = /\.(pdf|zip|dmg|exe|mp[34]|csv|docx|xlsx|pptx|gz|rar|7z|msi|apk|epub)$/i;

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
    (!('local' in dataset) && (navigator.webdriver || LOCAL.test(location.hostname))) ||
    ('respectDnt' in dataset && (navigator.doNotTrack === '1' || navigator.globalPrivacyControl));

  let page = '';
  let url: string;
  let referrer: string | undefined;
  let visibleSince = 0;
  let visibleFor = 0;

  /** Whatever fetch or an odd label does wrong ends in the promise. */
  async function send(message: Message): Promise<void> {
    try {
      if (isLeftOut || hasOptedOut()) return;
      const body = JSON.stringify({ site, url, ...message });
      await fetch(src.replace(/\.js[^/]*$/, ''), { method: 'POST', keepalive: true, credentials: 'omit', body });
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
    visibleSince = document.hidden ? 0 : now;
    if (visibleFor >= 1000) {
      send({ engaged: Math.round(visibleFor) });
      visibleFor = 0;
    }
    if (visibleSince && !page) begin();
  }

  function visit(): void {
    // Somebody may type the opt-out into the address of an open page.
    hasOptedOut();
    const path = location.origin + location.pathname;
    const hash = 'hash' in dataset ? location.hash.replace(/\?.*/, '') : '';
    if (page === path + hash) return;
    if (page) look();
    visibleFor = 0;
    referrer = page || document.referrer.replace(/[?#].*/, '') || undefined;
    page = path + hash;
    url = path + (location.search.match(TAGS) ?? []).join('').replace(/^./, '?') + hash;
    send({ referrer });
  }

  function clicked(click: MouseEvent): void {
    // The right button opens a menu, and the middle one does something with links only.
    if (click.button > 1) return;
    const path = click.composedPath() as HTMLAnchorElement[];
    const named = path.find((element) => element.dataset?.daybookEvent);
    const link = path.find((element) => /^http/.test(element.protocol));
    if (named && (link || !click.button)) count(named.dataset.daybookEvent, named.dataset.daybookLabel);
    if (!link) return;
    const target = link.host + link.pathname;
    if ('downloads' in dataset && FILE.test(target)) count('Download', target);
    else if ('outbound' in dataset && !`.${link.hostname}`.endsWith(`.${site}`)) count('Outbound link', target);
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
    addEventListener('pageshow', (show) => {
      if (!show.persisted) return;
      // The time in the back/forward cache was not visible.
      visibleSince = 0;
      look();
      page = '';
      visit();
    });
    addEventListener('click', clicked, true);
    addEventListener('auxclick', clicked, true);
    visit();
    if ('404' in dataset) count('404', location.pathname);
    const push = (call: Call): void => count(call[0], call[1]);
    (daybook.q as Call[] | undefined)?.forEach(push);
    daybook.q = { push };
  }

  addEventListener('visibilitychange', look);
  look();
}

const script = document.currentScript as HTMLScriptElement | null;
window.daybook ||= (...call) => {
  daybook.q ||= [];
  daybook.q.push(call);
};
const { daybook } = window;
if (script && !daybook.on) {
  daybook.on = true;
  track(daybook, script);
}

export {};
