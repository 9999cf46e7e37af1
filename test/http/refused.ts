import { big } from './serving.ts';

/** What never becomes a request, or must not: bytes, status and code. */
export const REFUSED: Record<string, [(token: string) => string | Buffer, number, string]> = {
  'a request line that is none': [() => 'HELLO\r\n\r\n', 400, 'bad_request'],
  'a version that is none': [() => 'GET / HTTP/9.7\r\nHost: a.test\r\n\r\n', 400, 'bad_request'],
  'a header without a colon': [() => 'GET / HTTP/1.1\r\nHost: a.test\r\nnonsense\r\n\r\n', 400, 'bad_request'],
  'a NUL in a header': [() => 'GET / HTTP/1.1\r\nHost: a.test\r\nA: b\0c\r\n\r\n', 400, 'bad_request'],
  'a header of more than 16 KiB': [
    () => `GET / HTTP/1.1\r\nHost: a.test\r\nA: ${big(16 * 1024)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  'many headers of together more than 16 KiB': [
    () => `GET / HTTP/1.1\r\nHost: a.test\r\n${`A: ${big(50)}\r\n`.repeat(340)}\r\n`,
    431,
    'headers_too_large',
  ],
  'a URL of 20 KB': [() => `GET /${big(20_000)} HTTP/1.1\r\nHost: a.test\r\n\r\n`, 431, 'headers_too_large'],
  'Content-Length and Transfer-Encoding at once': [
    () => 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'bad_request',
  ],
  'Content-Length twice': [
    () => 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ',
    400,
    'bad_request',
  ],
  'a Content-Length that is no number': [
    () => 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: two\r\n\r\n{}',
    400,
    'bad_request',
  ],
  'a chunk whose size is no number': [
    (token) =>
      `POST /api/v1/sites HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`,
    400,
    'bad_request',
  ],
  'two headers Host': [() => 'GET /healthz HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\n\r\n', 400, 'bad_request'],
  'two headers Host, with a hit': [
    () => 'POST /day HTTP/1.1\r\nHost: a.test\r\nhost: a.test\r\nContent-Length: 2\r\n\r\n{}',
    400,
    'bad_request',
  ],
  'HTTP/1.1 without Host': [() => 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  'an Expect that nobody knows': [
    () => 'POST / HTTP/1.1\r\nHost: a.test\r\nExpect: a-miracle\r\nContent-Length: 2\r\n\r\n{}',
    400,
    'bad_request',
  ],
  CONNECT: [() => 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n', 400, 'bad_request'],
  'the beginning of TLS': [
    () => Buffer.from('16030100c8010000c40303a1b2c3d4e5f60718293a4b5c6d7e8f90', 'hex'),
    400,
    'bad_request',
  ],
};
