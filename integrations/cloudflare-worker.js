// Reports requests by AI crawlers to daybook, for a site behind Cloudflare. This is a Worker on the route example.com/*.
//
// Set the variables DAYBOOK_SERVER (https://stats.example.com) and DAYBOOK_SITE (example.com), and the secret
// DAYBOOK_TOKEN. The token needs only the permission "collect".
//
// No request waits for this code. If the code has an error, the site answers as if there were no Worker.

/** Words in the user agents of bots. The server knows which bots are AI crawlers, so a new crawler rarely needs a new word. */
const BOT = new RegExp(
  [
    'bot|crawl|spider|scrap|fetch|agent|index|search|research|train|extended|additional|external|compatible;|https?:',
    '-(?:user|ai|web|code)\\b|gpt|claude|gemini|google-|googleother|notebook|novaact|diffbot|omgili|devin|opencode',
    'perplexity|terracotta|autorag|anomura|dataset|laion|novellum|citations|visions|reader',
    '^(?!mozilla/|opera/).',
  ].join('|'),
  'i',
);

/** Parts of pages. Only requests for pages, texts and feeds count. */
const ASSET =
  /\.(?:css|[cm]?js|map|wasm|webmanifest|png|apng|jpe?g|gif|webp|avif|jxl|heic|svg|ico|cur|bmp|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|aac|web[am]|og[agv]|opus|wav|flac|mov|avi|mkv|m3u8)$/i;

/** A token may send 120 batches a minute. Requests within 5 s at one Cloudflare location become one batch. */
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
  // If the server is down, the requests are dropped.
  await fetch(target, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) }).catch(() => {});
}

function record(request, status, env, context) {
  const agent = request.headers.get('user-agent') ?? '';
  const { pathname } = new URL(request.url);
  if (!BOT.test(agent) || ASSET.test(pathname) || waiting.length >= MOST) return;
  const url = `https://${env.DAYBOOK_SITE}${pathname.slice(0, 1_024)}`;
  waiting.push({ url, agent: agent.slice(0, 256), status, at: new Date().toISOString() });
  // The first request starts a task that sends all, because a Worker may not use the connections of another request. If
  // this task is stopped, a request after 15 s starts another.
  if (Date.now() < sendsUntil) return;
  sendsUntil = Date.now() + 3 * GATHER_MS;
  context.waitUntil(sendSoon(env));
}

// biome-ignore lint/style/noDefaultExport: a Worker must be a default export.
export default {
  async fetch(request, env, context) {
    context.passThroughOnException();
    const response = await fetch(request);
    record(request, response.status, env, context);
    return response;
  },
};
