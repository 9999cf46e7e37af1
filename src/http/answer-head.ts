import { STATUS_CODES } from 'node:http';
import { type Problem, writeProblemBody } from '../lib/errors.ts';
import { answerProblem } from '../lib/http/answer.ts';

/**
 * Writes the status line and headers of a response. The empty line after the headers is left out, because the caller
 * may add more headers.
 */
export function writeHead(status: number, headers: Iterable<readonly [name: string, value: string]>): string {
  const lines = Array.from(headers, ([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}`;
}

/**
 * Writes a whole error response to a client that node's http does not answer. This client sent invalid bytes, the
 * method CONNECT, or a message that fast-post.ts has read. The connection closes afterwards.
 */
export function writeProblem(problem: Problem, { id, date }: { id: string; date: string }): string {
  const { status, headers } = answerProblem(problem, { 'X-Request-Id': id, Date: date, Connection: 'close' });
  return `${writeHead(status, headers)}\r\n${writeProblemBody(problem)}`;
}
