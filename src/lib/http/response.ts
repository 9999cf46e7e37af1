/* What another server answers, which may be any other program than the one that is meant. */

/** The text of an answer of at most `longest` bytes; the rest of a longer one is not read. */
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

/** Why nothing was answered, such as what is wrong with a certificate, in one line. */
export function describeFailure(error: unknown): string {
  const { message, cause } = error as Error;
  const { message: inner = '', code = '' } = (cause ?? {}) as { message?: string; code?: string };
  const [line = ''] = (inner || code || message).split('\n');
  return line.slice(0, 300);
}
