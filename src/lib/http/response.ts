// Reads answers of other servers, such as a cluster or a webhook. Any program may be behind a URL, so an answer is
// never trusted.

/**
 * Reads the text of an answer. Throws as soon as the answer has more than `longest` bytes, so that a wrong server
 * cannot fill the memory.
 */
export async function readText(response: Response, longest: number): Promise<string> {
  const utf8 = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > longest) throw new Error(`the answer has more than ${longest} bytes`);
    text += utf8.decode(chunk, { stream: true });
  }
  return text + utf8.decode();
}

/**
 * Explains in one line why a request got no answer. The useful text is often in the cause, for example a fault of the
 * certificate.
 */
export function describeFailure(error: unknown): string {
  const { message, cause } = error as Error;
  const { message: inner = '', code = '' } = (cause ?? {}) as { message?: string; code?: string };
  const [line = ''] = (inner || code || message).split('\n');
  return line.slice(0, 300);
}
