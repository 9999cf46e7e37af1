// Tells daybook of the requests of AI crawlers to a site behind Cloudflare: a Worker on the route example.com/*. It needs
// the variables DAYBOOK_SERVER (https://stats.example.com) and DAYBOOK_SITE (example.com), and the secret DAYBOOK_TOKEN
// (ability collect). No request waits for any of this, and an error in here leads to the site as if it were not there.

/** Most words that bots use of themselves. The server knows which are AI crawlers, so that new ones need no new words. */
const BOT = new RegExp(
  [
    'bot|crawl|spider|scrap|fetch|agent|index|search|research|train|extended|additional|external|compatible;|https?:',
    '-(?:user|ai|web|code)\\b|gpt|claude|gemini|google-|googleother|notebook|novaact|diffbot|omgili|devin|opencode',
    'perplexity|terracotta|autorag|anomura|dataset|laion|novellum|citations|visions|reader',
    '^(?!mozilla/|opera/).',
  ].join('|'),
  'i',
);

/** What pages are made of; crawlers are counted for pages, texts and feeds. */
const ASSET =
  /\.(?:css|[cm]?js|map|wasm|webmanifest|png|apng|jpe?g|gif|webp|avif|jxl|heic|svg|ico|cur|bmp|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|aac|web[am]|og[agv]|opus|wav|flac|mov|avi|mkv|m3u8)$/i;

/** A token may send 120 requests a minute: what one place of Cloudflare's sees within 5 s goes as one. */
const GATHER_MS = 5_000;
const MOST = 500;

let waiting = [];
let sendsUntil = 0;

async function sendSoon(env) {
  await new Promise((done) => setTimeout(done, GATHER_MS));
  const body = JSON.stringify(waiting);
  waiting = [];
  sendsUntil = 0;
  const headers = { Authorization: `Bearer ${env.DAYBOOK_TOKEN}`, 'Content-Type': 'application/json' };
  const target = `${env.DAYBOOK_SERVER}/api/v1/sites/${env.DAYBOOK_SITE}/crawls`;
  // If the server is down, they are forgotten.
  await fetch(target, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) }).catch(() => {});
}

function record(request, status, env, context) {
  const agent = request.headers.get('user-agent') ?? '';
  const { pathname } = new URL(request.url);
  if (!BOT.test(agent) || ASSET.test(pathname) || waiting.length >= MOST) return;
  const url = `https://${env.DAYBOOK_SITE}${pathname.slice(0, 1_024)}`;
  waiting.push({ url, agent: agent.slice(0, 256), status, at: new Date().toISOString() });
  // The first one sends for all, because a Worker may not use another request's connections; should it be stopped, another
  // does after a while.
  if (Date.now() < sendsUntil) return;
  sendsUntil = Date.now() + 3 * GATHER_MS;
  context.waitUntil(sendSoon(env));
}

// biome-ignore lint/style/noDefaultExport: a Worker is one.
export default {
  async fetch(request, env, context) {
    context.passThroughOnException();
    const response = await fetch(request);
    record(request, response.status, env, context);
    return response;
  },
};
