// Tells daybook of the requests of AI crawlers to a Node server: Express, Connect, Hono, or anything else.
//
//   import { crawls } from './node.mjs';
//   const crawlers = crawls({ server: 'https://stats.example.com', site: 'example.com', token: process.env.DAYBOOK_TOKEN });
//   app.use(crawlers.express);                      // Express and Connect, before everything else
//   app.use(crawlers.hono);                         // Hono
//   crawlers.record('/page', agent, 200);           // anything else, once a request is answered
//
// The token needs the ability collect and no other. No request waits for any of this: what looks like a bot is remembered,
// and sent every few seconds. Whatever cannot be sent is forgotten.

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

/** What the server takes at once, with some room. */
const MOST_ENTRIES = 1_000;
const MOST_BYTES = 1_000_000;
const LONGEST_PATH = 2_048;
const LONGEST_AGENT = 512;
/** 12 requests a minute of the 120 that a token may send; 10,000 waiting are ten more, once. */
const EVERY_MS = 5_000;
const MOST_WAITING = 10_000;

/** Takes from the beginning of what waits as much as the server takes at once. */
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

/** What is told of a request, or undefined where it was for none of what crawlers are counted for. */
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
  /** Each entry is JSON already, so that its bytes are known. */
  const waiting = [];
  let timer;
  let sending = Promise.resolve();
  let isWarned = false;

  function warn(status) {
    // Once, for whoever set this up: a token or a site that is not right will not come right by itself.
    if (!isWarned && status !== 429) console.warn(`daybook does not take crawls of ${site}: HTTP ${status}`);
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
      // What was in this batch is lost; what waits behind it gets its try with the next.
      return;
    }
  }

  /** Sends what is waiting, one batch after the other: for the end of a program. */
  function flush() {
    clearTimeout(timer);
    timer = undefined;
    sending = sending.then(sendAll);
    return sending;
  }

  /** One request that was answered; url is a path of the site, or whole. It never throws. */
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
      // Also comes when the client has left before the end.
      response.once('close', () => record(url, request.headers['user-agent'], response.statusCode));
      next();
    },
    async hono(c, next) {
      await next();
      record(new URL(c.req.url).pathname, c.req.header('user-agent'), c.res.status);
    },
  };
}
