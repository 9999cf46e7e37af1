// The tracking script sends a hit when a page is first visible, when its path changes, and on events. It sends a
// heartbeat with the visible time when the page is hidden or left. Sites load the built file as /day.js. The script
// uses no cookies, and its errors never reach the page.
//
// The script has less than 1,100 bytes after compression with brotli (build.mjs minifies it). Brotli writes a text
// again for about two bytes. So the same few patterns stand wherever they fit, and all functions are arrow functions.
// Functions, listeners and fields have the order that compresses best. Any change may cost ten bytes more or less.
//
// Example: a visitor opens /a, and opens /b 12 s later. The script sends `{site, url: '…/a', width: 1440}`, then
// `{site, url: '…/a', engaged: 12000}`, and then `{site, url: '…/b', referrer: '…/a', width: 1440}`.

type Call = ArrayLike<unknown>;

type Daybook = {
  (...call: unknown[]): unknown;
  /** Calls of `daybook()` that wait until the page is first visible. A site may add calls before this script runs. */
  q: { push(call: Call): unknown };
  /** Set once this script runs. If a page has the script twice, the second one does nothing. */
  on?: unknown;
};

declare global {
  interface Window {
    daybook?: Daybook;
  }
  interface Navigator {
    globalPrivacyControl?: boolean;
  }
}

/** The element that a visitor clicked, or an element around it, such as a link or a form. */
type Part = HTMLAnchorElement & { action?: unknown };

/** The script element. In a module, `currentScript` is null, so the element is found by its attributes. */
const script = (document.currentScript || document.querySelector('[type=module][data-site]')) as HTMLScriptElement;
// biome-ignore lint/suspicious/noAssignInExpressions: in one statement it takes fewer bytes
const daybook: Daybook = (window.daybook = window.daybook || (((...call) => daybook.q.push(call)) as Daybook));
daybook.q = daybook.q || [];

/**
 * The page, without its query: a new query alone is no new page. Undefined until visible, and NaN before each count.
 */
let page: string | number | undefined;
let url: string;
let referrer: string | number | undefined;
/** The moment up to which the visible time of the page was sent to the server. NaN while the page is hidden. */
let since: number;

const measure = (): void => {
  const now = performance.now();
  if (now - since >= 1000) send(0, (now - since) | 0);
  // `document.hidden` is also true while a browser prerenders the page. So a page counts only once it is visible.
  if (document.hidden) since = NaN;
  else {
    since = now;
    page ?? start();
  }
};

/** Returns a text that is not empty if the visitor has opted out. Stores a choice that stands in the URL. */
const hasOptedOut = (): string | undefined => {
  // A browser may forbid `localStorage`. Then visitors cannot opt out, but their hits are counted.
  try {
    if (/^#daybook-o(n|ff)$/.test(location.hash)) localStorage.daybook = location.hash;
    // Of the stored texts `#daybook-on` and `#daybook-off`, only the second has a twelfth character.
    return localStorage.daybook[11];
  } catch {}
};

const checkPage = (): undefined => {
  // Visitors may opt out by adding #daybook-off to the URL of the open page. `hasOptedOut` then stores their choice.
  hasOptedOut();
  const path = location.href.match(/[^?#]+/)?.[0] as string;
  // With the option `hash`, only `#/…` and `#!…` name a page. `#/` alone is ignored, because many apps add it to the
  // URL when they start, and that is no second pageview.
  const hash = has('hash') ? location.hash.match(/#[/!][^?]*[^?/]/) || '' : '';
  if (page !== path + hash) {
    measure();
    referrer = page || document.referrer.match(/[^?#]+/)?.[0];
    page = path + hash;
    url =
      path +
      // A click id identifies a person, so only its name is sent. `|$` makes a list of every query, even of an empty
      // one.
      (location.search.match(/(^.|&)((ref|source|utm_\w+)=[^&]*|\w+(clk?|fat_|bra)id=)|$/g) as string[])
        .join('')
        .replace(/^&/, '?') +
      hash;
    if (!has('manual')) send();
  }
};

/**
 * Checks the path after the code that runs now has ended. A page that redirects may change its path several times in
 * one go, and only the last path counts.
 */
const checkPageLater: (after?: unknown) => void = () => {
  setTimeout(checkPage);
};

const start = (): void => {
  // The navigation API also reports URL changes that pages make without `history`. Older browsers do not have this API,
  // or a page may have another variable `navigation`. The error is then ignored.
  try {
    navigation.addEventListener('currententrychange', checkPageLater);
  } catch {}
  // `find` goes through the whole list if nothing is returned. It is the only method for lists here, to save bytes.
  // biome-ignore lint/suspicious/useIterableCallbackReturn: as said above
  ['pushState' as const, 'replaceState' as const].find((name) => {
    const change = history[name];
    history[name] = (...state) => checkPageLater(change.apply(history, state));
  });
  addEventListener('click', onClick, true);
  addEventListener('submit', onClick as (event: Event) => void, true);
  addEventListener('auxclick', onClick, true);
  addEventListener('popstate', checkPageLater);
  addEventListener('pagehide', checkPage);
  addEventListener('pagehide', measure);
  addEventListener('pageshow', (show) => {
    // `persisted` means that the visitor came back to this page with the button Back or Forward. That is a new
    // pageview.
    if (show.persisted) {
      page = since = NaN;
      checkPage();
    }
  });
  page = since = NaN;
  checkPage();
  if (has('404')) push(['404', location.pathname]);
  (daybook.q as unknown as Call[]).find(push);
  daybook.q = { push };
};

const push = (call: Call): void => {
  // The path may have changed just before this call. The event then belongs to the new page, so it is checked first.
  if (call[0]) send((!has('manual') || call[0] !== 'pageview') && call, checkPage());
};

/** Sends the events of clicks and submitted forms. A submit event has no `button`. */
const onClick = (click: MouseEvent): void => {
  // Only forms have an `action`. The event of a form is sent when the form is submitted, not when somebody clicks in
  // it.
  const named = (click.composedPath() as Part[]).find(
    (part) => part.dataset?.daybookEvent && !part.action === click.button >= 0,
  );
  // Button 2 is the right button, which only opens a menu. Button 1 is the middle button, which opens links only.
  const link = click.button < 2 && (click.composedPath() as Part[]).find((part) => part.hostname);
  if (link || !click.button) push([named?.dataset.daybookEvent, named?.dataset.daybookLabel]);
  if (link)
    push([
      has('downloads') && /\.(mp[34]|dmg|zip|exe|docx|gz|xlsx|csv|pptx|pdf)$/i.test(link.pathname)
        ? 'Download'
        : has('outbound') && !('.' + link.hostname).endsWith('.' + script.dataset.site) && 'Outbound link',
      link.host + link.pathname,
    ]);
};

/**
 * Sends a heartbeat if there is a time, else an event if there is a call, else a pageview. Its errors do not reach the
 * page.
 */
const send = async (call?: Call | false | 0, engaged?: number): Promise<void> => {
  try {
    hasOptedOut() ||
      (!has('local') &&
        (navigator.webdriver ||
          // `.::1.` is `[::1]`, because no other host name looks so. The empty name is that of a page from a file.
          (/^(.::1.||.*\.local|127.*\d|localhost)$/.test(location.hostname) &&
            !(console.info('localhost needs data-local') as unknown)))) ||
      // `+` makes 1 of '1', and 0 or NaN of all other values.
      (has('respectDnt') && (+(navigator.doNotTrack as string) || navigator.globalPrivacyControl)) ||
      // A browser sends a plain text body to another host without a CORS preflight request. With `keepalive`, the
      // request finishes even if the page closes.
      (await fetch(script.src.replace(/\.js[^/]*$/, ''), {
        body: JSON.stringify({
          site: script.dataset.site,
          engaged,
          url,
          // Spreading a number adds no field.
          ...((engaged as unknown as undefined) || {
            width: innerWidth,
            referrer,
            ...(call && {
              // The texts are cut at 120 and 200 characters. They also end at half of a character, such as one half of
              // an emoji. An empty name makes no event: the error ends the function.
              event: (`${call[0] ?? ''}`.match(/\P{Cs}{1,120}/u) as string[])[0],
              label: `${call[1] ?? ''}`.match(/\P{Cs}{1,200}/u)?.[0],
            }),
          }),
        }),
        method: 'POST',
        credentials: 'omit',
        keepalive: true,
      }));
  } catch {}
};

const has = (option: string): boolean => option in script.dataset;

// In a frame inside a page of the same site, the script does nothing, because the outer page already counts.
if (!(daybook.on || frameElement || !script)) {
  daybook.on = daybook;
  addEventListener('visibilitychange', measure);
  measure();
}

export {};
