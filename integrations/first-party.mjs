// Forwards daybook's script and its hits from the server of a website, so that pages load them from their own domain.
//
//   import { forward } from './first-party.mjs';
//   const visits = forward({ server: 'https://stats.example.com', script: '/linen/ripple', token: process.env.DAYBOOK_TOKEN });
//   app.use('/linen', visits.express);              // Express and Connect, before all other middleware
//   app.all('/linen/*', visits.hono);               // Hono
//   visits.request(request, address);               // any server with a Request; gives a promise of a Response
//
// `script` is daybook's setting --script. With a token, which needs only the permission "collect", daybook takes the
// visitor's IP address from here. Without a token, daybook must trust this server (--trusted-proxies).
//
// Invariant: only the paths of the script are forwarded. Otherwise visitors could send anything to daybook's API with the
// token of this server, for example by a path such as /linen/../api.

/** Only these headers reach daybook: no cookies, and nothing with which a visitor signs in to the website. */
const ASKED = [
  ...['accept-language', 'content-type', 'if-none-match', 'sec-purpose', 'user-agent', 'x-forwarded-for', 'x-moz'],
  ...['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'],
];
const ANSWERED = ['cache-control', 'content-type', 'daybook-dropped', 'etag'];
/** A message is smaller than 8 KB. */
const MOST_BYTES = 16_384;
const PATIENCE_MS = 10_000;

export function forward({ server, script, token }) {
  const { origin } = new URL(server);
  if (!/^(?:\/[\w-]+)+$/.test(script)) throw new Error('script must be a path such as /linen/ripple, as in --script');
  const files = ['.js', '-vitals.js', '.gif'].map((end) => script + end);

  function headersOf(asked, address) {
    const headers = new Headers();
    for (const name of ASKED) if (asked.has(name)) headers.set(name, asked.get(name));
    if (!address) return headers;
    // A visitor can send X-Forwarded-For too. daybook reads it from its end, so what the visitor wrote comes first.
    headers.append('X-Forwarded-For', address);
    if (token) {
      headers.set('Authorization', `Bearer ${token}`);
      headers.set('Daybook-Visitor-IP', address);
    }
    return headers;
  }

  /** Gives the status of a request that is not forwarded. */
  function refusalOf(method, pathname) {
    if (pathname !== script && !files.includes(pathname)) return 404;
    return (pathname === script ? ['POST'] : ['GET', 'HEAD']).includes(method) ? undefined : 405;
  }

  /** Forwards a request with its path. `address` is the IP address of the visitor. Never throws. */
  async function request(asked, address) {
    try {
      const { pathname, search } = new URL(asked.url);
      const status = refusalOf(asked.method, pathname);
      if (status) return new Response(null, { status });
      const body = asked.method === 'POST' ? await readBytes(asked.body ?? []) : undefined;
      if (body === null) return new Response(null, { status: 413 });
      const answer = await fetch(origin + pathname + search, {
        method: asked.method,
        headers: headersOf(asked.headers, address),
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const headers = new Headers();
      for (const name of ANSWERED) if (answer.headers.has(name)) headers.set(name, answer.headers.get(name));
      return new Response(answer.body, { status: answer.status, headers });
    } catch {
      // The daybook server is down, or the visitor left before the whole message was here.
      return new Response(null, { status: 502 });
    }
  }

  return {
    request,

    /** `request.ip` is the IP address by Express' setting `trust proxy`. Never throws, because that could end the server. */
    async express(asked, answer) {
      const { method, headers } = asked;
      const url = `http://website.example${asked.originalUrl ?? asked.url}`;
      const address = asked.ip ?? asked.socket.remoteAddress;
      const given = await request({ method, url, headers: new Map(Object.entries(headers)), body: asked }, address);
      const bytes = await given.arrayBuffer().catch(() => undefined);
      // Another part of the website may have answered meanwhile, such as one that limits the time of a request.
      if (answer.headersSent) return answer;
      answer.writeHead(bytes ? given.status : 502, bytes ? Object.fromEntries(given.headers) : {});
      return answer.end(bytes && Buffer.from(bytes));
    },

    hono: (c) => request(c.req.raw, c.env?.incoming?.socket.remoteAddress),
  };
}

/** Reads the body of a request. Gives null if it is too large. */
async function readBytes(body) {
  const pieces = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MOST_BYTES) return null;
    pieces.push(piece);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
