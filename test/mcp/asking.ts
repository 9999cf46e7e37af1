import type { TestApp } from '../support/helpers.ts';
import type { Answer, Asking } from '../support/requests.ts';

/** Sends a message of the protocol, as somebody with a token. */
export const send = (app: TestApp, message: unknown, asking: Asking = {}): Promise<Answer> =>
  app.ask('POST', '/mcp', { body: message, ...asking });

/** A request, with its answer. */
export const request = (app: TestApp, token: string | undefined, method: string, params: object = {}) =>
  send(app, { jsonrpc: '2.0', id: 1, method, params }, { token });

/** The result of a call of a tool. */
export async function call(app: TestApp, token: string, name: string, given: object = {}) {
  const { status, body } = await request(app, token, 'tools/call', { name, arguments: given });
  return { status, ...body.result, error: body.error };
}
