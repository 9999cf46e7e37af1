// Reports requests by AI crawlers from a Node server to daybook: Express, Connect, Hono, or any other server.
//
//   import { crawls } from './node.mjs';
//   const crawlers = crawls({ server: 'https://stats.example.com', site: 'example.com', token: process.env.DAYBOOK_TOKEN });
//   app.use(crawlers.express);                      // Express and Connect, before all other middleware
//   app.use(crawlers.hono);                         // Hono
//   crawlers.record('/page', agent, 200);           // any other server, after each response
//
// The token needs only the permission "collect". No request waits for this code. Requests by bots are recorded, and sent to
// daybook every few seconds. Requests that cannot be sent are dropped.

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

/** Slightly below the limits of the server for one batch. */
const MOST_ENTRIES = 1_000;
const MOST_BYTES = 1_000_000;
const LONGEST_PATH = 2_048;
const LONGEST_AGENT = 512;
/** A token may send 120 batches a minute. This is 12 a minute, and up to 10 at once if 10,000 requests wait. */
const EVERY_MS = 5_000;
const MOST_WAITING = 10_000;

/** Takes the oldest waiting requests, as many as the server accepts in one batch. */
function nextBatch(waiting) {
  let bytes = 2;
  let count = 0;
  for (const entry of waiting.slice(0, MOST_ENTRIES)) {
    bytes += Buffer.byteLength(entry) + 1;
    if (bytes > MOST_BYTES) break;
    count++;
  }
  return waiting.splice(0, count);
}

/** Returns the entry that reports a request. Undefined if the request is for a part of a page. */
function entryOf(site, url, agent, status) {
  const whole = url.startsWith('/') ? `https://${site}${url}` : url;
  const { origin, pathname } = URL.canParse(whole) ? new URL(whole) : {};
  if (!origin?.startsWith('http') || ASSET.test(pathname)) return undefined;
  return {
    url: origin + pathname.slice(0, LONGEST_PATH),
    agent: agent.slice(0, LONGEST_AGENT).toWellFormed(),
    status: Number.isInteger(status) ? status : undefined,
    at: new Date().toISOString(),
  };
}

export function crawls({ server, site, token, everyMs = EVERY_MS }) {
  const target = new URL(`/api/v1/sites/${site}/crawls`, server);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  /** Each entry is already JSON, so its size in bytes is known. */
  const waiting = [];
  let timer;
  let sending = Promise.resolve();
  let isWarned = false;

  function warn(status) {
    // The warning is printed only once: a wrong token or site fails again with each batch.
    if (!isWarned && status !== 429) console.warn(`daybook rejects crawler requests for ${site}: HTTP ${status}`);
    isWarned = true;
  }

  async function sendAll() {
    while (waiting.length > 0) {
      const body = `[${nextBatch(waiting).join()}]`;
      try {
        const answer = await fetch(target, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) });
        await answer.arrayBuffer();
        if (answer.ok) continue;
        if (answer.status < 500) warn(answer.status);
      } catch {
        // The server is down.
      }
      // The requests in this batch are lost. Those that still wait are sent with the next batch.
      return;
    }
  }

  /** Sends all waiting requests, one batch after another. Call this before your program ends. */
  function flush() {
    clearTimeout(timer);
    timer = undefined;
    sending = sending.then(sendAll);
    return sending;
  }

  /** Records a request after its response. `url` is a path or a whole URL. Never throws. */
  function record(url, agent = '', status = undefined) {
    if (!BOT.test(agent) || waiting.length >= MOST_WAITING) return;
    const entry = entryOf(site, url, agent, status);
    if (entry === undefined) return;
    waiting.push(JSON.stringify(entry));
    timer ??= setTimeout(flush, everyMs).unref();
  }

  return {
    record,
    flush,
    express(request, response, next) {
      const url = request.originalUrl ?? request.url;
      // The event 'close' also comes if the client disconnects early.
      response.once('close', () => record(url, request.headers['user-agent'], response.statusCode));
      next();
    },
    async hono(c, next) {
      await next();
      record(new URL(c.req.url).pathname, c.req.header('user-agent'), c.res.status);
    },
  };
}
