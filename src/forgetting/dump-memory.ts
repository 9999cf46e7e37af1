// Writes all memory that a process can still read into files, so that prove.ts can search the files.
//
// Invariant: together, the files have all texts, numbers and bytes that the program can reach. Only the end of a text
// is left out if the text has more than 1,000,000 characters. The files do not have freed memory. The program cannot
// read freed memory any more, and the system uses it again.
//
// Example: the texts of a Map are in the file `memory-texts`, and its numbers in `memory-numbers`. A Buffer is in
// `memory-bytes`. test/forgetting/prove.program.test.ts puts an IP address into the memory as a text, as numbers and as
// bytes. Then the proof must find it in the files.
import { closeSync, openSync, writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';

type Reply = Record<string, { objectId: string; value: number }>;

/** The file of texts, a heap snapshot, has at most this many characters of each text. The rest is not searched. */
const LONGEST_TEXT = 1_000_000;

/** Writes the memory of the calling thread. `nameFile` makes the name of the file for texts, numbers or bytes. */
export function dumpMemory(folder: string, nameFile = (kind: string): string => `memory-${kind}`): void {
  setFlagsFromString(`--heap-snapshot-string-limit=${LONGEST_TEXT}`);
  writeHeapSnapshot(join(folder, nameFile('texts')), { exposeInternals: true, exposeNumericValues: true });
  const session = new Session();
  session.connect();
  const [numbers, bytes] = ['numbers', 'bytes'].map((kind) => openSync(join(folder, nameFile(kind)), 'w'));
  try {
    const writeNumbers = (list: number[]): void => {
      if (list.length > 0) writeSync(numbers as number, Float64Array.from(list));
    };
    eachObject(session, Map.prototype, (map) => {
      writeNumbers([...(map as Map<unknown, unknown>)].flat().filter(isNumber));
    });
    eachObject(session, Set.prototype, (set) => writeNumbers([...(set as Set<unknown>)].filter(isNumber)));
    eachObject(session, Array.prototype, (list) => writeNumbers((list as unknown[]).filter(isNumber)));
    eachObject(session, Object.getPrototypeOf(Uint8Array.prototype), (list) => {
      const { buffer, byteOffset, byteLength } = list as Uint8Array;
      if (byteLength > 0 && !isPool(buffer, byteLength))
        writeSync(bytes as number, new Uint8Array(buffer, byteOffset, byteLength));
    });
  } finally {
    session.disconnect();
    for (const file of [numbers, bytes]) closeSync(file as number);
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/**
 * Tells whether bytes are Node's whole pool, a block of memory that small Buffers share. Each small Buffer is written
 * on its own. All other bytes of the pool are freed memory, so the pool as a whole is left out.
 */
const isPool = (buffer: ArrayBufferLike, bytes: number): boolean =>
  bytes === Buffer.poolSize && buffer === Buffer.from('x').buffer;

const VISIT = `function () {
  let count = 0;
  for (const one of this) {
    try {
      globalThis.dumping.look(one);
      count++;
    } catch {}
  }
  return count;
}`;

/**
 * Calls `look` for each object of a class, such as each Map. `prototype` is the prototype of the class. Each process
 * has Maps, Sets, arrays and typed arrays. If no object is found, the memory cannot be read, and this function throws.
 */
function eachObject(session: Session, prototype: object, look: (one: unknown) => void): void {
  const post = (method: string, params: object): Reply => {
    let reply: Reply = {};
    session.post(method, params, (error: Error | null, given?: object) => {
      if (error) throw error;
      reply = given as Reply;
    });
    return reply;
  };
  Object.assign(globalThis, { dumping: { prototype, look } });
  const { result } = post('Runtime.evaluate', { expression: 'dumping.prototype' });
  const { objects } = post('Runtime.queryObjects', { prototypeObjectId: result?.objectId });
  const visited = post('Runtime.callFunctionOn', {
    ...{ objectId: objects?.objectId, functionDeclaration: VISIT, returnByValue: true },
  });
  Object.assign(globalThis, { dumping: undefined });
  if (!((visited.result?.value ?? 0) > 0)) throw new Error('the memory could not be read');
}
