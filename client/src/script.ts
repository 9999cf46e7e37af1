// Made from src/tracker/day.ts by npm run build:client.
// @ts-nocheck

export function run(tag: { src: string; dataset: Record<string, unknown> }, kept: string): void {
(() => {
  const script = tag || document.querySelector("[type=module][data-site]");
  const daybook = window.daybook = window.daybook || ((...call) => daybook.q.push(call));
  daybook.q = daybook.q || [];
  let referrer;
  let since;
  let depth;
  let page;
  let url;
  const look = () => {
    const share = 100 * (scrollY + innerHeight) / document.body.scrollHeight;
    depth > share || (depth = share > 100 ? 100 : share);
  };
  const checkPageLater = () => {
    setTimeout(checkPage);
  };
  const hasOptedOut = () => {
    try {
      if (/^#daybook-o(n|ff)$/.test(location.hash)) localStorage.daybook = location.hash;
      return localStorage.daybook[11];
    } catch {
    }
  };
  const start = () => {
    try {
      navigation.addEventListener("currententrychange", checkPageLater);
    } catch {
    }
    ["replaceState", "pushState"].find((name) => {
      const change = history[name];
      history[name] = (...state) => checkPageLater(change.apply(history, state));
    });
    addEventListener("scroll", look);
    addEventListener("submit", onClick, true);
    addEventListener("click", onClick, true);
    addEventListener("popstate", checkPageLater);
    addEventListener("auxclick", onClick, true);
    addEventListener("pagehide", (hide) => {
      measure(hide, checkPage());
    });
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
  const measure = (event) => {
    const now = performance.now();
    if (event) look();
    if (now - since > 999) send(0, now - since);
    if (document.hidden) since = NaN;
    else {
      since = now;
      page ?? start();
    }
  };
  const onClick = (click) => {
    look();
    const named = click.composedPath().find(
      (part) => part.dataset?.daybookEvent && !part.action === click.button >= 0
    );
    const link = click.button < 2 && click.composedPath().find((part) => part.hostname);
    if (link || !click.button) push([named?.dataset.daybookEvent, named?.dataset.daybookLabel, named?.dataset]);
    if (link)
      push([
        /\.(mp[34]|dmg|zip|exe|docx|gz|xlsx|csv|pptx|pdf)$/i.test(link.pathname) && has("downloads") ? "Download" : !("." + link.hostname).endsWith("." + script.dataset.site) && has("outbound") && "Outbound link",
        link.host + link.pathname
      ]);
  };
  const has = (option) => option in script.dataset;
  const send = async (call, engaged, props = {}) => {
    try {
      const data = call ? call[2] : script.dataset;
      for (const name in data) if (name.match(/[Pp]rop[A-Z]/)) props[name.replace(/^.*?rop/, "")] = data[name];
      hasOptedOut() || !has("local") && navigator.webdriver || // `+` turns the text '1' into 1, and any other value into 0 or NaN.
      (navigator.globalPrivacyControl || +navigator.doNotTrack) && has("respectDnt") || // A browser sends a plain text body to another host without a CORS preflight request. With `keepalive`, the
      // request finishes even if the page closes.
      await fetch(script.src.replace(/\.js[^/]*$/, ""), {
        keepalive: true,
        method: "POST",
        credentials: "omit",
        body: JSON.stringify({
          site: script.dataset.site,
          url,
          ...engaged ? { scroll: depth, engaged } : {
            props,
            referrer,
            width: innerWidth,
            // The label may also be an object with `props`, which the server reads. The event becomes a text. If a
            // page passed a function as the event, JSON would leave it out, and a pageview would be counted.
            ...call && { event: call[0] + "", label: call[1] }
          }
        })
      });
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
      depth = NaN;
      url = path + // A click id identifies a person, so only its name is sent. With `|$`, even an empty query string has a match, so
      // the result is always a list.
      location.search.match(new RegExp("(^.|&)((" + kept + "ref|source|utm_\\w+)=[^&]*|\\w+(clk?|fat_|bra)id=)|$", 'g')).join("").replace(/^&/, "?") + hash;
      page = path + hash;
      if (!has("manual")) send();
    }
  };
  if (!(daybook.on || frameElement || !location.host || !script)) {
    daybook.on = daybook;
    addEventListener("visibilitychange", measure);
    measure();
  }
})();
}
