// The tracking script sends a hit when a page is first visible, when its path changes, and on events. It sends a
// heartbeat with the visible time and the depth when the page is hidden or left. Sites load the built file as /day.js.
// The script uses no cookies, and its errors never reach the page.
//
// The script has less than 1,100 bytes after compression with brotli (build.mjs minifies it). Brotli writes a text
// again for about two bytes. So the same few patterns stand wherever they fit, and all functions are arrow functions.
// Functions, listeners and fields have the order that compresses best. Any change may cost ten bytes more or less.
//
// The server does what it can do as well. It cuts texts, reads what `daybook()` got as its second argument, and drops
// hits of `localhost`.
//
// Example: a visitor opens /a, and opens /b 12 s later. The script sends `{site, url: '…/a', props: {}, width: 1440}`,
// then `{site, url: '…/a', engaged: 12000, scroll: 80}`, and then `{site, url: '…/b', referrer: '…/a', …}`.

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

let referrer: string | number | undefined;
/** The moment up to which the visible time of the page was sent to the server. NaN while the page is hidden. */
let since: number;
/** The deepest share of the page that was seen, in percent. NaN until it is known. JSON then has null. */
let depth: number;
/**
 * The page, without its query: a new query alone is no new page. Undefined until visible, and NaN before each count.
 */
let page: string | number | undefined;
let url: string;

/**
 * Called when the visitor scrolls, clicks or leaves. The depth is not measured when the path changes, because a
 * single-page application then already shows the next page.
 */
const look = (): void => {
  const share = (100 * (scrollY + innerHeight)) / document.body.scrollHeight;
  // A page that is shorter than the window has a share above 100. The comparison is false while the depth is NaN.
  // biome-ignore lint/suspicious/noAssignInExpressions: in one statement it takes fewer bytes
  depth > share || (depth = share > 100 ? 100 : share);
};

/**
 * Checks the path after the code that runs now has ended. A page that redirects may change its path several times in
 * one go, and only the last path counts.
 */
const checkPageLater: (after?: unknown) => void = () => {
  setTimeout(checkPage);
};

/** Returns a text that is not empty if the visitor has opted out. Stores a choice that stands in the URL. */
const hasOptedOut = (): string | undefined => {
  // A browser may forbid `localStorage`. Then visitors cannot opt out, but their hits are counted.
  try {
    if (/^#daybook-o(n|ff)$/.test(location.hash)) localStorage.daybook = location.hash;
    // Only `#daybook-off` has a twelfth character.
    return localStorage.daybook[11];
  } catch {}
};

const start = (): void => {
  // The navigation API also reports URL changes that pages make without `history`. Older browsers do not have this API,
  // or a page may have another variable `navigation`. The error is then ignored.
  try {
    navigation.addEventListener('currententrychange', checkPageLater);
  } catch {}
  // `find` goes through the whole list if nothing is returned. It is the only method for lists here, to save bytes.
  // biome-ignore lint/suspicious/useIterableCallbackReturn: as said above
  ['replaceState' as const, 'pushState' as const].find((name) => {
    const change = history[name];
    history[name] = (...state) => checkPageLater(change.apply(history, state));
  });
  addEventListener('scroll', look);
  addEventListener('submit', onClick as (event: Event) => void, true);
  addEventListener('click', onClick, true);
  addEventListener('popstate', checkPageLater);
  addEventListener('auxclick', onClick, true);
  addEventListener('pagehide', (hide) => {
    measure(hide, checkPage());
  });
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

/** `event` is given when the visitor leaves the page. `checked` only says that the path was checked before. */
const measure: (event?: Event, checked?: undefined) => void = (event) => {
  const now = performance.now();
  if (event) look();
  if (now - since > 999) send(0, now - since);
  // `document.hidden` is also true while a browser prerenders the page. So a page counts only once it is visible.
  if (document.hidden) since = NaN;
  else {
    since = now;
    page ?? start();
  }
};

/** Sends the events of clicks and submitted forms. A submit event has no `button`. */
const onClick = (click: MouseEvent): void => {
  look();
  // Only forms have an `action`. The event of a form is sent when the form is submitted, not when somebody clicks in
  // it.
  const named = (click.composedPath() as Part[]).find(
    (part) => part.dataset?.daybookEvent && !part.action === click.button >= 0,
  );
  // Button 2 is the right button, which only opens a menu. Button 1 is the middle button, which opens links only.
  const link = click.button < 2 && (click.composedPath() as Part[]).find((part) => part.hostname);
  if (link || !click.button) push([named?.dataset.daybookEvent, named?.dataset.daybookLabel, named?.dataset]);
  if (link)
    push([
      /\.(mp[34]|dmg|zip|exe|docx|gz|xlsx|csv|pptx|pdf)$/i.test(link.pathname) && has('downloads')
        ? 'Download'
        : !('.' + link.hostname).endsWith('.' + script.dataset.site) && has('outbound') && 'Outbound link',
      link.host + link.pathname,
    ]);
};

const has = (option: string): boolean => option in script.dataset;

/**
 * Sends a heartbeat if there is a time, else an event if there is a call, else a pageview. Its errors do not reach the
 * page.
 */
const send = async (
  call?: Call | false | 0,
  engaged?: number,
  props: Record<string, string | undefined> = {},
): Promise<void> => {
  try {
    // Attributes such as `data-prop-plan` are properties: of the snippet for pageviews, of an element for its event. In
    // `dataset` the name is `propPlan`, or `daybookPropPlan`. The server writes `Plan` in lower case.
    const data = (call ? call[2] : script.dataset) as DOMStringMap;
    for (const name in data) if (name.match(/[Pp]rop[A-Z]/)) props[name.replace(/^.*?rop/, '')] = data[name];
    hasOptedOut() ||
      (!has('local') && navigator.webdriver) ||
      // `+` makes 1 of '1', and 0 or NaN of all other values.
      ((navigator.globalPrivacyControl || +(navigator.doNotTrack as string)) && has('respectDnt')) ||
      // A browser sends a plain text body to another host without a CORS preflight request. With `keepalive`, the
      // request finishes even if the page closes.
      (await fetch(script.src.replace(/\.js[^/]*$/, ''), {
        keepalive: true,
        method: 'POST',
        credentials: 'omit',
        body: JSON.stringify({
          site: script.dataset.site,
          url,
          ...(engaged
            ? { scroll: depth, engaged }
            : {
                props,
                referrer,
                width: innerWidth,
                // The label may be an object with `props`. JSON leaves out a function, so the event must be a text.
                ...(call && { event: call[0] + '', label: call[1] }),
              }),
        }),
      }));
  } catch {}
};

const checkPage = (): undefined => {
  // Visitors may opt out by adding #daybook-off to the URL of the open page. `hasOptedOut` then stores their choice.
  hasOptedOut();
  const path = location.href.match(/[^?#]+/)?.[0] as string;
  // With the option `hash`, only `#/…` and `#!…` name a page. `#/` alone is ignored. Many apps add it to the URL when
  // they start, and that is no second pageview.
  const hash = has('hash') ? location.hash.match(/#[/!][^?]*[^?/]/) || '' : '';
  if (page !== path + hash) {
    measure();
    referrer = page || document.referrer.match(/[^?#]+/)?.[0];
    depth = NaN;
    url =
      path +
      // A click id identifies a person, so only its name is sent. `|$` makes a list of every query, even of an empty
      // one.
      (location.search.match(/(^.|&)((ref|source|utm_\w+)=[^&]*|\w+(clk?|fat_|bra)id=)|$/g) as string[])
        .join('')
        .replace(/^&/, '?') +
      hash;
    page = path + hash;
    if (!has('manual')) send();
  }
};

// In a frame inside a page of the same site, the script does nothing, because the outer page already counts. A page from
// a file has no host.
if (!(daybook.on || frameElement || !location.host || !script)) {
  daybook.on = daybook;
  addEventListener('visibilitychange', measure);
  measure();
}

export {};
