// A bare server, with which collecting is compared. It only stores the text of each message, many in one transaction,
// and answers when the text is on the disk.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';

const [path = ''] = process.argv.slice(2);
const db = new Database(path);
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE hit (id INTEGER PRIMARY KEY, text TEXT)');
const insert = db.prepare('INSERT INTO hit (text) VALUES (?)');
let waiting: { text: string; answer: ServerResponse }[] = [];

const commit = db.transaction((texts: string[]) => {
  for (const text of texts) insert.run(text);
});

function flush(): void {
  const batch = waiting;
  waiting = [];
  commit(batch.map(({ text }) => text));
  for (const { answer } of batch) answer.writeHead(202).end();
}

const server = createServer((incoming, answer) => {
  let text = '';
  incoming.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  incoming.on('end', () => {
    if (waiting.push({ text, answer }) === 1) setImmediate(flush);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
