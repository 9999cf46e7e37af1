// The tracking script sends a hit when a page is first visible, when its path changes, and on events. When the page is
// hidden or left, it sends a heartbeat with the visible time and the depth. Sites load the built file as /day.js. The
// script uses no cookies, and its errors never reach the page.
//
// The script has less than 1,100 bytes after minifying (build.mjs) and compression with brotli. Brotli needs only about
// two bytes for a text that it has seen before. So the code uses a few patterns again and again, and all functions are
// arrow functions. Functions, listeners and fields have the order that compresses best. Any change may cost ten bytes
// more or less.
//
// Work that the server can do is left to the server. The server cuts texts, reads what `daybook()` got as its second
// argument, and drops hits of `localhost`.
//
// Example: a visitor opens /a, and opens /b 12 s later. The script sends `{site, url: '…/a', props: {}, width: 1440}`,
// then `{site, url: '…/a', engaged: 12000, scroll: 80}`, and then `{site, url: '…/b', referrer: '…/a', …}`.

type Call = ArrayLike<unknown>;

type Daybook = {
  (...call: unknown[]): unknown;
  /** Calls of `daybook()` that wait until the page is first visible. A site may make calls before this script runs. */
  q: { push(call: Call): unknown };
  /** Set once this script runs. If a page contains the script twice, the second copy does nothing. */
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

/**
 * The script element. If the script is loaded as a module, `currentScript` is null, so the element is found by its
 * attributes.
 */
const script = (document.currentScript || document.querySelector('[type=module][data-site]')) as HTMLScriptElement;
// biome-ignore lint/suspicious/noAssignInExpressions: one statement takes fewer bytes than two
const daybook: Daybook = (window.daybook = window.daybook || (((...call) => daybook.q.push(call)) as Daybook));
daybook.q = daybook.q || [];

let referrer: string | number | undefined;
/**
 * The start of the visible time that no heartbeat has reported yet, by `performance.now()`. The variable is NaN while
 * the page is hidden.
 */
let since: number;
/**
 * How much of the page was seen, down to the lowest point, in percent. The number is NaN until it is known. JSON writes
 * NaN as null.
 */
let depth: number;
/**
 * The URL of the present page, without its query string. If only the query string changes, this is not a new page. As
 * long as the page has never been visible, the variable is undefined. Then the variable is NaN until `checkPage` sends
 * the first pageview, because NaN differs from every URL. After a return with Back or Forward, the variable is NaN
 * again, so `checkPage` sends a new pageview.
 */
let page: string | number | undefined;
let url: string;

/**
 * Measures the depth when the visitor scrolls, clicks or leaves. The depth is not measured when the path changes,
 * because a single-page application then already shows the next page.
 */
const look = (): void => {
  const share = (100 * (scrollY + innerHeight)) / document.body.scrollHeight;
  // If the page is shorter than the window, the share is above 100. While the depth is NaN, the comparison is false, so
  // the depth is set.
  // biome-ignore lint/suspicious/noAssignInExpressions: one statement takes fewer bytes than two
  depth > share || (depth = share > 100 ? 100 : share);
};

/**
 * Checks the path after the code that runs now has ended. A page that redirects may change its path several times in a
 * row, and only the last path counts.
 */
const checkPageLater: (after?: unknown) => void = () => {
  setTimeout(checkPage);
};

/**
 * Returns a text that is not empty if the visitor has opted out. If the URL contains a choice to opt out or in, stores
 * this choice.
 */
const hasOptedOut = (): string | undefined => {
  // A browser may forbid `localStorage`. Then visitors cannot opt out, but their hits are counted.
  try {
    if (/^#daybook-o(n|ff)$/.test(location.hash)) localStorage.daybook = location.hash;
    // The stored text is `#daybook-on` or `#daybook-off`. Only the second one has a character at index 11.
    return localStorage.daybook[11];
  } catch {}
};

const start = (): void => {
  // The navigation API also reports URL changes that pages make without `history`. Older browsers do not have this API,
  // and a page may have another variable `navigation`. Then there is an error, which is ignored.
  try {
    navigation.addEventListener('currententrychange', checkPageLater);
  } catch {}
  // The callback returns nothing, so `find` goes through the whole list. All lists here use `find`, which saves bytes.
  // biome-ignore lint/suspicious/useIterableCallbackReturn: the callback must return nothing
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
  // The path may have changed just before this call. Then the event belongs to the new page. So `checkPage` is called
  // in the second argument, which is computed before `send` runs.
  if (call[0]) send((!has('manual') || call[0] !== 'pageview') && call, checkPage());
};

/**
 * Sends the visible time if it is at least a second, and notes whether the page is visible now. `event` is given when
 * the page is shown, hidden or left. `checked` is never read. A caller that passes `checkPage()` here checks the path
 * before `measure` runs.
 */
const measure: (event?: Event, checked?: undefined) => void = (event) => {
  const now = performance.now();
  if (event) look();
  if (now - since > 999) send(0, now - since);
  // `document.hidden` is also true while a browser prerenders the page. So a page does not count before it is visible.
  if (document.hidden) since = NaN;
  else {
    since = now;
    page ?? start();
  }
};

/** Sends the events of clicks and of submitted forms. A submit event has no `button`. */
const onClick = (click: MouseEvent): void => {
  look();
  // Only forms have an `action`. A form's event is sent when the form is submitted, not when somebody clicks in the
  // form.
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
 * Sends a heartbeat if `engaged` is given, else an event if `call` is given, else a pageview. Errors of this function
 * do not reach the page.
 */
const send = async (
  call?: Call | false | 0,
  engaged?: number,
  props: Record<string, string | undefined> = {},
): Promise<void> => {
  try {
    // A pageview gets properties from the script element, such as `data-prop-plan` (`propPlan` in `dataset`). An event
    // gets properties from the clicked or submitted element, such as `data-daybook-prop-plan` (`daybookPropPlan`). The
    // server writes `Plan` in lower case.
    const data = (call ? call[2] : script.dataset) as DOMStringMap;
    for (const name in data) if (name.match(/[Pp]rop[A-Z]/)) props[name.replace(/^.*?rop/, '')] = data[name];
    hasOptedOut() ||
      (!has('local') && navigator.webdriver) ||
      // `+` turns the text '1' into 1, and any other value into 0 or NaN.
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
                // The label may also be an object with `props`, which the server reads. The event becomes a text. If a
                // page passed a function as the event, JSON would leave it out, and a pageview would be counted.
                ...(call && { event: call[0] + '', label: call[1] }),
              }),
        }),
      }));
  } catch {}
};

const checkPage = (): undefined => {
  // Visitors may opt out by adding #daybook-off to the URL of the open page. Then `hasOptedOut` stores their choice.
  hasOptedOut();
  const path = location.href.match(/[^?#]+/)?.[0] as string;
  // With the option `hash`, only `#/…` and `#!…` name a page. `#/` alone is ignored: many apps add it to the URL when
  // they start, and this is not a second pageview.
  const hash = has('hash') ? location.hash.match(/#[/!][^?]*[^?/]/) || '' : '';
  if (page !== path + hash) {
    measure();
    referrer = page || document.referrer.match(/[^?#]+/)?.[0];
    depth = NaN;
    url =
      path +
      // A click id identifies a person, so only its name is sent. With `|$`, even an empty query string has a match, so
      // the result is always a list.
      (location.search.match(/(^.|&)((ref|source|utm_\w+)=[^&]*|\w+(clk?|fat_|bra)id=)|$/g) as string[])
        .join('')
        .replace(/^&/, '?') +
      hash;
    page = path + hash;
    if (!has('manual')) send();
  }
};

// In a frame inside a page of the same site, the script does nothing, because the outer page already counts. A page
// that was opened from a file has no host, and does not count.
if (!(daybook.on || frameElement || !location.host || !script)) {
  daybook.on = daybook;
  addEventListener('visibilitychange', measure);
  measure();
}

export {};
