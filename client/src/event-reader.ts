// Made from src/lib/event-reader.ts by npm run build:client.
// Reads the events of a stream that a daybook server sends. The server sends a comment at least every 20 s. So a stream
// that is silent for 45 s has lost its connection, and reading it fails.
//
// Example: the bytes `event: live`, `data: {"data":{…}}` and an empty line give the text `{"data":{…}}`.
//
// The dashboard uses this file, and a copy of it is a part of the client (client/made.ts).

const SILENCE_MS = 45_000;

/** Yields the data of each event. Ends when the server ends the stream, and throws if the connection is lost. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await withoutSilence(reader.read());
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) yield data;
      }
    }
  } finally {
    // If the stream has failed, cancelling fails too. Then there is nothing left to cancel, so the error is ignored.
    reader.cancel().catch(() => {});
  }
}

function withoutSilence<Result>(read: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The stream is silent.')), SILENCE_MS);
    read.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
