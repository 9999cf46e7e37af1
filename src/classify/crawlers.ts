// Lists the AI crawlers, and finds a crawler in a user agent. Requests of AI crawlers are counted by crawler and page,
// and are not part of visits.
//
// Invariant: an id never changes, because counts are stored under the id. If a user agent has several tokens, the
// longest one decides, because it is the most specific.
//
// Example: the user agent `claude-code/1.0 … Claude-User` has two tokens. `claude-code/` is longer, so the crawler is
// Claude-Code. src/collect, logs/requests.ts and classify/bot.ts call `findCrawler`.

import { cachedBriefly } from '../lib/cached-briefly.ts';

export const findCrawler = (userAgent: string): Crawler | undefined =>
  findLongest(userAgent.slice(0, LONGEST)) ?? undefined;

export type Crawler = {
  id: string;
  name: string;
  operator: string;
  purpose: 'training' | 'search' | 'user' | 'other';
  token: string;
};

type CrawlerRow = [token: string, purpose: Crawler['purpose'], name?: string, id?: string];

/** Makes the rows of one operator. Counts are stored under the id, so the id of a crawler must never change. */
const makeRows = (operator: string, ...list: CrawlerRow[]): Crawler[] =>
  list.map(([token, purpose, name = token, id = name.toLowerCase()]) => ({ id, name, operator, purpose, token }));

/**
 * The crawlers of AI products. A user agent that contains the token, in upper or lower case, belongs to that crawler.
 * Google-Extended and Applebot-Extended are not in the table, because only robots.txt uses these names. Classic search
 * engines are no AI crawlers. AI agents that use a plain browser cannot be told from people.
 */
export const CRAWLERS: readonly Crawler[] = [
  ...makeRows('OpenAI', ['GPTBot', 'training'], ['OAI-SearchBot', 'search'], ['ChatGPT-User', 'user']),
  ...makeRows(
    'Anthropic',
    ['ClaudeBot', 'training'],
    ['anthropic-ai', 'training'],
    ['Claude-Web', 'training'],
    ['Claude-SearchBot', 'search'],
    ['Claude-User', 'user'],
    // A user agent of Claude Code contains both this token and Claude-User. The longer token decides.
    ['claude-code/', 'user', 'Claude-Code'],
  ),
  ...makeRows('Perplexity', ['PerplexityBot', 'search'], ['Perplexity-User', 'user'], ['PerplexityUser', 'user']),
  ...makeRows(
    'Google',
    ['Google-CloudVertexBot', 'training'],
    ['GoogleOther', 'other'],
    ['Google-NotebookLM', 'user'],
    ['Google-GeminiNotebook', 'user'],
    ['Gemini-Deep-Research', 'user'],
    ['GoogleAgent-Mariner', 'user'],
    ['GoogleAgent-URLContext', 'user'],
    ['Google-Agent', 'user'],
  ),
  ...makeRows(
    'Meta',
    ['meta-externalagent', 'training', 'Meta-ExternalAgent'],
    ['FacebookBot', 'training'],
    ['meta-webindexer', 'search', 'Meta-WebIndexer'],
    ['meta-externalfetcher', 'user', 'Meta-ExternalFetcher'],
  ),
  ...makeRows('Common Crawl', ['CCBot', 'training']),
  ...makeRows('ByteDance', ['Bytespider', 'training'], ['TikTokSpider', 'training'], ['imageSpider', 'training']),
  ...makeRows('Apple', ['Applebot', 'search']),
  ...makeRows(
    'Amazon',
    ['Amazonbot', 'training'],
    ['Amzn-SearchBot', 'search'],
    ['Amzn-User', 'user'],
    ['bedrockbot', 'other', 'Bedrockbot'],
    ['NovaAct', 'user', 'Nova Act', 'novaact'],
    ['KendraBot', 'search'],
  ),
  ...makeRows('Microsoft', ['AzureAI-SearchBot', 'search']),
  ...makeRows('DuckDuckGo', ['DuckAssistBot', 'user']),
  ...makeRows(
    'Mistral AI',
    ['MistralAI-User', 'user'],
    ['MistralAI-Index', 'search'],
    ['MistralAI-Training', 'training'],
  ),
  ...makeRows('Cohere', ['cohere-training-data-crawler', 'training'], ['cohere-ai', 'user']),
  ...makeRows('You.com', ['YouBot', 'search']),
  ...makeRows('Huawei', ['PetalBot', 'search'], ['PanguBot', 'training']),
  ...makeRows('Linkup', ['LinkupBot', 'search']),
  ...makeRows('Exa', ['ExaSearchBot', 'search']),
  ...makeRows('Andi', ['Andibot', 'search']),
  ...makeRows('iAsk', ['iaskspider', 'search', 'iAskSpider'], ['iAskBot', 'search']),
  ...makeRows('Phind', ['PhindBot', 'search']),
  ...makeRows('Liner', ['LinerBot', 'search']),
  ...makeRows('Tavily', ['TavilyBot', 'search']),
  ...makeRows('Parallel', ['ShapBot', 'search']),
  ...makeRows('Yandex', ['YandexAdditional', 'search']),
  ...makeRows('Diffbot', ['Diffbot', 'other']),
  ...makeRows('Firecrawl', ['FirecrawlAgent', 'other']),
  ...makeRows('ImageSift', ['ImagesiftBot', 'other']),
  ...makeRows('Webz.io', ['webzio-extended', 'training', 'Webzio-Extended'], ['omgili', 'other']),
  ...makeRows('Timpi', ['Timpibot', 'training']),
  ...makeRows('Ai2', ['AI2Bot', 'training']),
  ...makeRows('DeepSeek', ['DeepSeekBot', 'training']),
  ...makeRows('Zhipu AI', ['ChatGLM-Spider', 'training']),
  ...makeRows('SB Intuitions', ['SBIntuitionsBot', 'training']),
  ...makeRows('Moonshot AI', ['Kimi-User', 'user']),
  ...makeRows('Manus', ['Manus-User', 'user']),
  ...makeRows('Kagi', ['kagi-fetcher', 'user', 'Kagi-Fetcher']),
  ...makeRows('Alibaba', ['TongyiBot', 'user']),
  ...makeRows('Baidu', ['YiyanBot', 'user']),
  ...makeRows('Cognition', ['Devin/', 'user', 'Devin']),
  ...makeRows('OpenCode', ['opencode/', 'user', 'OpenCode']),
  ...makeRows('Apify', ['ApifyBot', 'other'], ['ApifyWebsiteContentCrawler', 'other']),
  ...makeRows('Aranet', ['Aranet-SearchBot', 'search']),
  ...makeRows('Atlassian', ['atlassian-bot', 'search', 'Atlassian-Bot']),
  ...makeRows('Bright Data', ['Brightbot', 'other']),
  ...makeRows('Ceramic', ['TerraCotta', 'other']),
  ...makeRows('Channel3', ['Channel3Bot', 'search']),
  ...makeRows('Cloudflare', ['Cloudflare-AutoRAG', 'search']),
  ...makeRows('Crawl4AI', ['crawl4ai', 'other', 'Crawl4AI']),
  ...makeRows('Direqt', ['Anomura', 'search']),
  ...makeRows('Exte', ['ExteContextCrawl', 'other']),
  ...makeRows('Flyriver', ['Flyriverbot', 'other']),
  ...makeRows('img2dataset', ['img2dataset', 'training']),
  ...makeRows('Kangaroo LLM', ['Kangaroo Bot', 'training', 'Kangaroo Bot', 'kangaroobot']),
  ...makeRows('Kunato', ['KunatoCrawler', 'training']),
  ...makeRows('LAION', ['laion-huggingface-processor', 'training']),
  ...makeRows('Novellum', ['Novellum', 'training']),
  ...makeRows('Poggio', ['Poggio-Citations', 'other']),
  ...makeRows('Semantic Visions', ['semantic-visions', 'other', 'Semantic Visions', 'semantic-visions']),
  ...makeRows('Sider', ['linkReader/', 'user', 'LinkReader']),
  ...makeRows('Spawning', ['Spawning-AI', 'other']),
  ...makeRows('TaraGroup', ['TaraGroup Intelligent Bot', 'other', 'TaraGroup Intelligent Bot', 'taragroup']),
  ...makeRows('Valyu', ['HenkBot', 'search']),
  ...makeRows('Zanista', ['ZanistaBot', 'search']),
];

const byToken = new Map(CRAWLERS.map((crawler) => [crawler.token.toLowerCase(), crawler]));

/** Longer tokens are first, because a regular expression uses the first alternative that matches. */
const tokens = [...byToken.keys()].sort((one, other) => other.length - one.length);

/**
 * Matches a token at the beginning of a word. `Devin/1.0` is Devin, but `TinyDevin/1.0` is not. A token does not match
 * before `-extended`, because `Applebot-Extended` is not Applebot.
 */
const TOKENS = new RegExp(`(?<![a-z0-9])(?:${tokens.join('|')})(?!-extended)`, 'gi');

/** Only the first 512 characters of a user agent are searched. No real user agent is longer. */
const LONGEST = 512;

/** Keeps user agents in memory for at most one second, because they may identify visitors. */
const findLongest = cachedBriefly((text): Crawler | null => {
  const found = text.match(TOKENS) ?? [''];
  const longest = found.reduce((one, other) => (other.length > one.length ? other : one));
  return byToken.get(longest.toLowerCase()) ?? null;
}, 2_000);
