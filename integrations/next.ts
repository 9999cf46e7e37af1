// Reports requests by AI crawlers from a Next.js site to daybook. Save this file as proxy.ts next to app/. Up to Next 15,
// name it middleware.ts, and its last function middleware. If you already have a proxy, import recordCrawl there.
//
// Set the variables DAYBOOK_SERVER (https://stats.example.com), DAYBOOK_SITE (example.com) and DAYBOOK_TOKEN. The token
// needs only the permission "collect".
//
// A proxy runs before the page, so the status is not known. No request waits for this code.

type Crawl = { url: string; agent: string; at: string };
type Event = { waitUntil(work: Promise<unknown>): void };

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

/** A token may send 120 batches a minute. Requests within 5 s become one batch. */
const GATHER_MS = 5_000;
const MOST = 500;

let waiting: Crawl[] = [];
let sendsUntil = 0;

async function sendSoon(): Promise<void> {
  await new Promise((done) => setTimeout(done, GATHER_MS));
  const body = JSON.stringify(waiting);
  waiting = [];
  sendsUntil = 0;
  const headers = { Authorization: `Bearer ${process.env.DAYBOOK_TOKEN}`, 'Content-Type': 'application/json' };
  const target = `${process.env.DAYBOOK_SERVER}/api/v1/sites/${process.env.DAYBOOK_SITE}/crawls`;
  // If the server is down, the requests are dropped.
  await fetch(target, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) }).catch(() => {});
}

export function recordCrawl(request: Request, event: Event): void {
  const agent = request.headers.get('user-agent') ?? '';
  const { pathname } = new URL(request.url);
  if (!BOT.test(agent) || ASSET.test(pathname) || waiting.length >= MOST) return;
  const url = `https://${process.env.DAYBOOK_SITE}${pathname.slice(0, 1_024)}`;
  waiting.push({ url, agent: agent.slice(0, 256), at: new Date().toISOString() });
  // The first request starts a task that sends all. If this task is stopped, a request after 15 s starts another.
  if (Date.now() < sendsUntil) return;
  sendsUntil = Date.now() + 3 * GATHER_MS;
  event.waitUntil(sendSoon());
}

export const config = { matcher: '/((?!_next/).*)' };

export function proxy(request: Request, event: Event): void {
  recordCrawl(request, event);
}
