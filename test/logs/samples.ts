export const SITE = {
  id: 1,
  domain: 'example.com',
  tracksCrawlers: true,
  tracksVitals: false,
  privatePaths: '',
  pageParameters: '',
  dimensionsOff: '',
  currency: '',
  timeZone: 'UTC',
  earliestDay: 0,
  zoneSince: 0,
};
export const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
export const NOON = Date.parse('2026-03-10T12:00:00Z') / 1000;

type Combined = { host?: string; time?: string; request?: string; agent?: string; more?: string };

/** A line in the combined format. */
export const combined = ({
  host,
  time = '10/Mar/2026:12:00:00 +0000',
  request,
  agent = 'GPTBot/1.2',
  more = '',
}: Combined) =>
  `${host ? `${host} ` : ''}192.0.2.1 - - [${time}] "${request ?? 'GET /page HTTP/1.1'}" 200 1234 "-" "${agent}"${more}`;

export const json = (more: object = {}) =>
  JSON.stringify({
    url: 'https://example.com/page',
    agent: 'GPTBot',
    status: 200,
    at: '2026-03-10T12:00:00Z',
    ...more,
  });

export const caddy = ({ request = {}, ...more }: { request?: object } & Record<string, unknown> = {}) =>
  JSON.stringify({
    level: 'info',
    ts: NOON + 0.25,
    logger: 'http.log.access.log0',
    msg: 'handled request',
    request: {
      remote_ip: '192.0.2.1',
      method: 'GET',
      host: 'example.com',
      uri: '/page',
      headers: { 'User-Agent': ['GPTBot'] },
      ...request,
    },
    status: 200,
    ...more,
  });

/** A line of CloudFront's standard logs, as far as it is read. */
export const cloudfront = ({ agent = 'GPTBot/1.2', referrer = '-', query = '-' } = {}) =>
  [
    ...['2026-03-10', '12:00:00', 'FRA56-P1', '1234', '192.0.2.1', 'GET', 'd111111abcdef8.cloudfront.net', '/page'],
    ...[
      '200',
      referrer,
      agent,
      query,
      '-',
      'Hit',
      'SOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ',
      'example.com',
    ],
    ...['https', '23', '0.001', '-', 'TLSv1.3', 'TLS_AES_128_GCM_SHA256', 'Hit', 'HTTP/2.0', '-', '-'],
  ].join('\t');
