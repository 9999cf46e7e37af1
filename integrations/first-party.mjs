// Forwards daybook's script and its hits from the server of a website, so that pages load them from their own domain.
//
//   import { forward } from './first-party.mjs';
//   const visits = forward({ server: 'https://stats.example.com', token: process.env.DAYBOOK_TOKEN });
//   app.use('/linen', visits.express);              // Express and Connect, before all other middleware
//   app.all('/linen/*', visits.hono);               // Hono
//   visits.request(request, address);               // any server with a Request; gives a promise of a Response
//
// The folder /linen is the one of daybook's setting --script. With a token, which needs only the permission "collect",
// daybook takes the visitor's IP address from here. Without a token, daybook must trust this server (--trusted-proxies).

/** Only these headers reach daybook: no cookies, and nothing with which a visitor signs in to the website. */
const ASKED = [
  ...['accept-language', 'content-type', 'if-none-match', 'sec-purpose', 'user-agent', 'x-forwarded-for', 'x-moz'],
  ...['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'],
];
const ANSWERED = ['cache-control', 'content-type', 'daybook-dropped', 'etag'];
/** A message is smaller than 8 KB. */
const MOST_BYTES = 16_384;
const PATIENCE_MS = 10_000;

export function forward({ server, token }) {
  const { origin } = new URL(server);

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

  /** Forwards a request with its path. `address` is the IP address of the visitor. Never throws. */
  async function request(asked, address) {
    const { method, url } = asked;
    if (!['GET', 'HEAD', 'POST'].includes(method)) return new Response(null, { status: 405 });
    const body = method === 'POST' ? await asked.arrayBuffer() : undefined;
    if (body?.byteLength > MOST_BYTES) return new Response(null, { status: 413 });
    const { pathname, search } = new URL(url);
    try {
      const answer = await fetch(origin + pathname + search, {
        method,
        headers: headersOf(asked.headers, address),
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const headers = new Headers();
      for (const name of ANSWERED) if (answer.headers.has(name)) headers.set(name, answer.headers.get(name));
      return new Response(answer.body, { status: answer.status, headers });
    } catch {
      // The daybook server is down.
      return new Response(null, { status: 502 });
    }
  }

  return {
    request,

    /** `request.ip` is the IP address by Express' setting `trust proxy`. */
    async express(asked, answer) {
      const url = `http://website.example${asked.originalUrl ?? asked.url}`;
      const body = asked.method === 'POST' ? await readBytes(asked) : undefined;
      if (body === null) return answer.writeHead(413).end();
      const headers = Object.entries(asked.headers).map(([name, value]) => [name, String(value)]);
      const given = await request(
        new Request(url, { method: asked.method, headers, body }),
        asked.ip ?? asked.socket.remoteAddress,
      );
      answer.writeHead(given.status, Object.fromEntries(given.headers));
      return answer.end(Buffer.from(await given.arrayBuffer()));
    },

    hono: (c) => request(c.req.raw, c.env?.incoming?.socket.remoteAddress),
  };
}

/** Reads the body of a request of Node. Gives null if it is too large. */
async function readBytes(incoming) {
  const pieces = [];
  let length = 0;
  for await (const piece of incoming) {
    length += piece.length;
    if (length > MOST_BYTES) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
