import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FILE_FORMATS } from '../../src/exchange/formats.ts';
import { Refusal } from '../../src/lib/errors.ts';
import { anyText } from '../support/text.ts';
import { readFile } from './files.ts';

/** The first lines of those that have one. */
const HEADS: Record<string, string> = {
  goatcounter: '2Path,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Location,Date',
  umami:
    'session_id,hostname,browser,os,device,country,url_path,url_query,referrer_domain,event_type,event_name,created_at',
  simpleanalytics:
    'added_iso,hostname,path,query,is_robot,document_referrer,utm_source,country_code,session_id,datapoint,user_agent,device_type',
};

const value = fc.oneof(
  fc.constantFrom('', '1', '2', 'true', 'h', 'g', 'c', 'example.com', '/', '/a?b#c', '//[', '/\\x', 'DE', 'US-TX'),
  fc.constantFrom('constructor', '__proto__', 'https://[', '%', '%zz', '2026-01-05 10:00:00', '2026-01-05T10:00:00Z'),
  anyText({ maxLength: 12 }),
);
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const json = fc
  .dictionary(
    fc.constantFrom('url', 'agent', 'at', 'ip', 'status', 'logger', 'ts', 'request', 'visitor'),
    fc.jsonValue(),
  )
  .map((fields) => JSON.stringify(fields));
const combined = fc
  .tuple(value, value, value)
  .map(
    ([request, referrer, agent]) =>
      `192.0.2.1 - - [05/Jan/2026:12:00:00 +0200] "GET ${request}" 200 1 "${referrer}" "${agent}"`,
  );

/** Values that no text can be made of. */
const HOSTILE = [
  '{"url":"/","agent":"a","at":{"toString":null}}',
  '{"actionDetails":[{"type":"action","timestamp":{"toString":null},"url":{"toString":null}}]}',
  '{"actionDetails":[{"type":{"toString":null},"timestamp":1e300}],"firstActionTimestamp":1e300}',
  '{"logger":"http.log.access","ts":1,"request":{"host":"example.com","uri":"/","headers":{"User-Agent":[{"toString":null}]}}}',
];

for (const [name] of Object.entries(FILE_FORMATS).filter(([, format]) => 'parser' in format)) {
  test(`whatever a file says, as ${name} it is read or refused with a reason`, () => {
    const head = HEADS[name]?.split(',');
    const record = head
      ? fc.array(value, { minLength: head.length, maxLength: head.length }).map((cells) => cells.map(quoted).join(','))
      : fc.oneof(json, combined, value);
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 3 }), (records) => {
        const text = [...(head ? [head.join(',')] : []), ...records].join('\n');
        try {
          const { hits, left } = readFile(name, text);
          assert.ok(hits.length + left.length <= text.split('\n').length);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          assert.match(error.message, /^(?:line \d+: |this is no access log)/);
        }
      }),
      { numRuns: 2_000, examples: head ? [] : HOSTILE.map((line): [string[]] => [[line]]) },
    );
  });
}
