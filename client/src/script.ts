// Made from src/tracker/day.ts by npm run build:client.
// @ts-nocheck

export function run(tag: { src: string; dataset: Record<string, string> }): void {
(() => {
  const script = tag || document.querySelector("[type=module][data-site]");
  const daybook = window.daybook = window.daybook || ((...call) => daybook.q.push(call));
  daybook.q = daybook.q || [];
  let page;
  let url;
  let referrer;
  let since;
  const measure = () => {
    const now = performance.now();
    if (now - since >= 1e3) send(0, now - since | 0);
    if (document.hidden) since = NaN;
    else {
      since = now;
      page ?? start();
    }
  };
  const hasOptedOut = () => {
    try {
      if (/^#daybook-o(n|ff)$/.test(location.hash)) localStorage.daybook = location.hash;
      return localStorage.daybook[11];
    } catch {
    }
  };
  const checkPage = () => {
    hasOptedOut();
    const path = location.href.match(/[^?#]+/)?.[0];
    const hash = has("hash") ? location.hash.match(/#[/!][^?]*[^?/]/) || "" : "";
    if (page !== path + hash) {
      measure();
      referrer = page || document.referrer.match(/[^?#]+/)?.[0];
      page = path + hash;
      url = path + // A click id identifies a person, so only its name is sent. `|$` makes a list of every query, even of an empty
      // one.
      location.search.match(/(^.|&)((ref|source|utm_\w+)=[^&]*|\w+(clk?|fat_|bra)id=)|$/g).join("").replace(/^&/, "?") + hash;
      if (!has("manual")) send();
    }
  };
  const checkPageLater = () => {
    setTimeout(checkPage);
  };
  const start = () => {
    try {
      navigation.addEventListener("currententrychange", checkPageLater);
    } catch {
    }
    ["pushState", "replaceState"].find((name) => {
      const change = history[name];
      history[name] = (...state) => checkPageLater(change.apply(history, state));
    });
    addEventListener("click", onClick, true);
    addEventListener("submit", onClick, true);
    addEventListener("auxclick", onClick, true);
    addEventListener("popstate", checkPageLater);
    addEventListener("pagehide", checkPage);
    addEventListener("pagehide", measure);
    addEventListener("pageshow", (show) => {
      if (show.persisted) {
        page = since = NaN;
        checkPage();
      }
    });
    page = since = NaN;
    checkPage();
    if (has("404")) push(["404", location.pathname]);
    daybook.q.find(push);
    daybook.q = { push };
  };
  const push = (call) => {
    if (call[0]) send((!has("manual") || call[0] !== "pageview") && call, checkPage());
  };
  const onClick = (click) => {
    const named = click.composedPath().find(
      (part) => part.dataset?.daybookEvent && !part.action === click.button >= 0
    );
    const link = click.button < 2 && click.composedPath().find((part) => part.hostname);
    if (link || !click.button) push([named?.dataset.daybookEvent, named?.dataset.daybookLabel]);
    if (link)
      push([
        has("downloads") && /\.(mp[34]|dmg|zip|exe|docx|gz|xlsx|csv|pptx|pdf)$/i.test(link.pathname) ? "Download" : has("outbound") && !("." + link.hostname).endsWith("." + script.dataset.site) && "Outbound link",
        link.host + link.pathname
      ]);
  };
  const send = async (call, engaged) => {
    try {
      hasOptedOut() || !has("local") && (navigator.webdriver || // `.::1.` is `[::1]`, because no other host name looks so. The empty name is that of a page from a file.
      /^(.::1.||.*\.local|127.*\d|localhost)$/.test(location.hostname) && !console.info("localhost needs data-local")) || // `+` makes 1 of '1', and 0 or NaN of all other values.
      has("respectDnt") && (+navigator.doNotTrack || navigator.globalPrivacyControl) || // A browser sends a plain text body to another host without a CORS preflight request. With `keepalive`, the
      // request finishes even if the page closes.
      await fetch(script.src.replace(/\.js[^/]*$/, ""), {
        body: JSON.stringify({
          site: script.dataset.site,
          engaged,
          url,
          // Spreading a number adds no field.
          ...engaged || {
            width: innerWidth,
            referrer,
            ...call && {
              // The texts are cut at 120 and 200 characters. They also end at half of a character, such as one half of
              // an emoji. An empty name makes no event: the error ends the function.
              event: `${call[0] ?? ""}`.match(/\P{Cs}{1,120}/u)[0],
              label: `${call[1] ?? ""}`.match(/\P{Cs}{1,200}/u)?.[0]
            }
          }
        }),
        method: "POST",
        credentials: "omit",
        keepalive: true
      });
    } catch {
    }
  };
  const has = (option) => option in script.dataset;
  if (!(daybook.on || frameElement || !script)) {
    daybook.on = daybook;
    addEventListener("visibilitychange", measure);
    measure();
  }
})();
}
