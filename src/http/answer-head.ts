import { STATUS_CODES } from 'node:http';
import { type Problem, writeProblemBody } from '../lib/errors.ts';
import { answerProblem } from '../lib/http/answer.ts';

/** Writes the head of an answer, without the empty line at its end. So the caller can add headers. */
export function writeHead(status: number, headers: Iterable<readonly [name: string, value: string]>): string {
  const lines = Array.from(headers, ([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}`;
}

/**
 * Writes an error as the bytes of a whole answer. This is for bytes that are no valid request, for which Node makes no
 * answer. The connection closes afterwards.
 */
export function writeProblem(problem: Problem, { id, date }: { id: string; date: string }): string {
  const { status, headers } = answerProblem(problem, { 'X-Request-Id': id, Date: date, Connection: 'close' });
  return `${writeHead(status, headers)}\r\n${writeProblemBody(problem)}`;
}
