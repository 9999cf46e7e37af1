import type { Hono } from 'hono';
import { loadVerifyPage } from '../embedded/verify-page.ts';
import { answerStandalone, isAccepted } from '../lib/http/answer.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';

/** Serves verify.html, a page of one file that checks receipts in the browser (src/verify/main.ts). */
export function mountVerifyPage(app: Hono<Env>): void {
  mountPath(app, '/verify.html', {
    async GET(c) {
      const { text, brotli, gzip, etag } = await loadVerifyPage();
      const accepted = c.req.header('Accept-Encoding') ?? '';
      const policy = /content="([^"]*)"/.exec(text)?.[1] ?? '';
      if (isAccepted('br', accepted)) return answerStandalone(new Uint8Array(brotli), 'br', { policy, etag });
      if (isAccepted('gzip', accepted)) return answerStandalone(new Uint8Array(gzip), 'gzip', { policy, etag });
      return answerStandalone(new TextEncoder().encode(text), undefined, { policy, etag });
    },
  });
}
