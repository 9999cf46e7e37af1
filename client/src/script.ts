// Made from src/tracker/day.ts by npm run build:client.
// @ts-nocheck

export function run(tag: { src: string; dataset: Record<string, string> }): void {
(() => {
  const script = tag || document.querySelector("[type=module][data-site]");
  const daybook = window.daybook || ((...call) => daybook.q?.push(call));
  window.daybook = daybook;
  daybook.q = daybook.q || [];
  let referrer;
  let since = NaN;
  let page;
  let url;
  function cut(text, most) {
    return String(text ?? "").match(/\P{Cs}/gu)?.slice(0, most).join("");
  }
  async function send(message) {
    try {
      if (!isExcluded())
        await fetch(script.src.replace(/\.js[^/]*$/, ""), {
          method: "POST",
          keepalive: true,
          credentials: "omit",
          body: JSON.stringify({ site: script.dataset.site, url, ...message })
        });
    } catch {
    }
  }
  function isExcluded() {
    try {
      if (/#daybook-o(n|ff)$/.test(location.hash)) localStorage.daybook = location.hash;
      if (localStorage.daybook === "#daybook-off") return true;
    } catch {
    }
    return !has("local") && (navigator.webdriver || /^(127[\d.]+|\[::1]|localhost|.*\.local|)$/.test(location.hostname) && !console.info("localhost needs data-local")) || has("respectDnt") && (navigator.doNotTrack === "1" || navigator.globalPrivacyControl);
  }
  function checkPageLater() {
    setTimeout(checkPage);
  }
  function checkPage() {
    isExcluded();
    const path = location.href.replace(/[?#].*/, "");
    const hash = has("hash") ? location.hash.match(/#[/!][^?]*[^?/]/) || "" : "";
    if (page !== path + hash) {
      measure();
      referrer = page || document.referrer.replace(/[?#].*/, "") || void 0;
      page = path + hash;
      url = path + location.search.replace(/[?&](?!(utm_\w+|source|ref)=)[^&]*/g, "").replace(/^&/, "?") + hash;
      if (!has("manual")) send({ referrer });
    }
  }
  function measure() {
    const now = performance.now();
    if (now - since >= 1e3) send({ engaged: now - since | 0 });
    since = document.hidden ? NaN : now;
    if (since) page ?? start();
  }
  function push([name, about]) {
    try {
      checkPage();
      const event = cut(name, 120);
      if (event) send(has("manual") && event === "pageview" ? { referrer } : { referrer, event, label: cut(about, 200) });
    } catch {
    }
  }
  function has(option) {
    return option in script.dataset;
  }
  function start() {
    ["pushState", "replaceState"].forEach((name) => {
      const change = history[name];
      history[name] = (...state) => {
        change.call(history, ...state);
        checkPageLater();
      };
    });
    try {
      navigation.addEventListener("currententrychange", checkPageLater);
    } catch {
    }
    ["click", "auxclick", "submit"].forEach((name) => {
      addEventListener(name, onClick, true);
    });
    addEventListener("pagehide", checkPage);
    addEventListener("pagehide", measure);
    addEventListener("popstate", checkPageLater);
    addEventListener("pageshow", (show) => {
      if (show.persisted) {
        since = NaN;
        page = "";
        checkPage();
      }
    });
    page = "";
    checkPage();
    if (has("404")) push(["404", location.pathname]);
    daybook.q.forEach(push);
    daybook.q = { push };
  }
  function onClick(click) {
    if (click.button > 1) return;
    const path = click.composedPath();
    const link = path.find((part) => part.hostname);
    const named = path.find((part) => part.dataset?.daybookEvent && !part.action === click.button >= 0);
    if (named && (link || !click.button)) push([named.dataset.daybookEvent, named.dataset.daybookLabel]);
    if (link) {
      const target = link.host + link.pathname;
      if (has("downloads") && /\.(pdf|zip|gz|dmg|exe|mp[34]|csv|docx|xlsx|pptx)$/i.test(target))
        push(["Download", target]);
      else if (has("outbound") && !`.${link.hostname}`.endsWith(`.${script.dataset.site}`))
        push(["Outbound link", target]);
    }
  }
  if (script && !daybook.on && !frameElement) {
    daybook.on = true;
    addEventListener("visibilitychange", measure);
    measure();
  }
})();
}
