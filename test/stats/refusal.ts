import assert from 'node:assert/strict';
import type { App } from './stage.ts';

/** What a wrong question gets. */
export async function refusal(app: App, path: string, site: string | number = app.siteId) {
  const { status, body, text } = await app.owner.ask('GET', `/sites/${site}/stats/${path}`);
  assert.ok(status === 404 || status === 422, `${status} for ${path}: ${text}`);
  const { code, fields = {} } = body.error;
  return { path, status, code, fields: Object.keys(fields) };
}

export const invalid = (path: string, field: string) => ({
  path,
  status: 422,
  code: 'invalid_request',
  fields: [field],
});

export const missing = (path: string) => ({ path, status: 404, code: 'not_found', fields: [] });
