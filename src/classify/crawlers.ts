// The table of AI crawlers, and the search for one in a user agent. Requests of AI crawlers are counted by crawler and
// page, not as visits.
//
// Invariant: an id never changes, because counts are stored under it. The longest token in an agent decides, because it
// is the most specific.
//
// Example: an agent with `claude-code/1.0 … Claude-User` has two tokens; `claude-code/` is the longer one, so the
// crawler is Claude-Code. collect/outcome.ts, logs/requests.ts and classify/bot.ts call findCrawler.

import { cachedBriefly } from '../lib/cached-briefly.ts';

/** Finds the AI crawler that an agent names. */
export const findCrawler = (userAgent: string): Crawler | undefined =>
  crawlerIn(userAgent.slice(0, LONGEST)) ?? undefined;

export type Crawler = {
  id: string;
  name: string;
  operator: string;
  purpose: 'training' | 'search' | 'user' | 'other';
  token: string;
};

type Row = [token: string, purpose: Crawler['purpose'], name?: string, id?: string];

/** Makes the rows of an operator. Ids are stored with counts, so they never change. */
const rows = (operator: string, ...list: Row[]): Crawler[] =>
  list.map(([token, purpose, name = token, id = name.toLowerCase()]) => ({ id, name, operator, purpose, token }));

/**
 * The crawlers of AI products. An agent with the token, in any case, is that crawler. Purposes are training of models,
 * a search index, a page that a user asked for, and other. Google-Extended and Applebot-Extended are not here, because
 * these names stand in robots.txt and never in agents. Nor are classic search engines, nor AI agents in a plain browser
 * or editor, which look like people.
 */
export const CRAWLERS: readonly Crawler[] = [
  ...rows('OpenAI', ['GPTBot', 'training'], ['OAI-SearchBot', 'search'], ['ChatGPT-User', 'user']),
  ...rows(
    'Anthropic',
    ['ClaudeBot', 'training'],
    ['anthropic-ai', 'training'],
    ['Claude-Web', 'training'],
    ['Claude-SearchBot', 'search'],
    ['Claude-User', 'user'],
    // Its agent also has Claude-User, a shorter token.
    ['claude-code/', 'user', 'Claude-Code'],
  ),
  ...rows('Perplexity', ['PerplexityBot', 'search'], ['Perplexity-User', 'user'], ['PerplexityUser', 'user']),
  ...rows(
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
  ...rows(
    'Meta',
    ['meta-externalagent', 'training', 'Meta-ExternalAgent'],
    ['FacebookBot', 'training'],
    ['meta-webindexer', 'search', 'Meta-WebIndexer'],
    ['meta-externalfetcher', 'user', 'Meta-ExternalFetcher'],
  ),
  ...rows('Common Crawl', ['CCBot', 'training']),
  ...rows('ByteDance', ['Bytespider', 'training'], ['TikTokSpider', 'training'], ['imageSpider', 'training']),
  ...rows('Apple', ['Applebot', 'search']),
  ...rows(
    'Amazon',
    ['Amazonbot', 'training'],
    ['Amzn-SearchBot', 'search'],
    ['Amzn-User', 'user'],
    ['bedrockbot', 'other', 'Bedrockbot'],
    ['NovaAct', 'user', 'Nova Act', 'novaact'],
    ['KendraBot', 'search'],
  ),
  ...rows('Microsoft', ['AzureAI-SearchBot', 'search']),
  ...rows('DuckDuckGo', ['DuckAssistBot', 'user']),
  ...rows('Mistral AI', ['MistralAI-User', 'user'], ['MistralAI-Index', 'search'], ['MistralAI-Training', 'training']),
  ...rows('Cohere', ['cohere-training-data-crawler', 'training'], ['cohere-ai', 'user']),
  ...rows('You.com', ['YouBot', 'search']),
  ...rows('Huawei', ['PetalBot', 'search'], ['PanguBot', 'training']),
  ...rows('Linkup', ['LinkupBot', 'search']),
  ...rows('Exa', ['ExaSearchBot', 'search']),
  ...rows('Andi', ['Andibot', 'search']),
  ...rows('iAsk', ['iaskspider', 'search', 'iAskSpider'], ['iAskBot', 'search']),
  ...rows('Phind', ['PhindBot', 'search']),
  ...rows('Liner', ['LinerBot', 'search']),
  ...rows('Tavily', ['TavilyBot', 'search']),
  ...rows('Parallel', ['ShapBot', 'search']),
  ...rows('Yandex', ['YandexAdditional', 'search']),
  ...rows('Diffbot', ['Diffbot', 'other']),
  ...rows('Firecrawl', ['FirecrawlAgent', 'other']),
  ...rows('ImageSift', ['ImagesiftBot', 'other']),
  ...rows('Webz.io', ['webzio-extended', 'training', 'Webzio-Extended'], ['omgili', 'other']),
  ...rows('Timpi', ['Timpibot', 'training']),
  ...rows('Ai2', ['AI2Bot', 'training']),
  ...rows('DeepSeek', ['DeepSeekBot', 'training']),
  ...rows('Zhipu AI', ['ChatGLM-Spider', 'training']),
  ...rows('SB Intuitions', ['SBIntuitionsBot', 'training']),
  ...rows('Moonshot AI', ['Kimi-User', 'user']),
  ...rows('Manus', ['Manus-User', 'user']),
  ...rows('Kagi', ['kagi-fetcher', 'user', 'Kagi-Fetcher']),
  ...rows('Alibaba', ['TongyiBot', 'user']),
  ...rows('Baidu', ['YiyanBot', 'user']),
  ...rows('Cognition', ['Devin/', 'user', 'Devin']),
  ...rows('OpenCode', ['opencode/', 'user', 'OpenCode']),
  ...rows('Apify', ['ApifyBot', 'other'], ['ApifyWebsiteContentCrawler', 'other']),
  ...rows('Aranet', ['Aranet-SearchBot', 'search']),
  ...rows('Atlassian', ['atlassian-bot', 'search', 'Atlassian-Bot']),
  ...rows('Bright Data', ['Brightbot', 'other']),
  ...rows('Ceramic', ['TerraCotta', 'other']),
  ...rows('Channel3', ['Channel3Bot', 'search']),
  ...rows('Cloudflare', ['Cloudflare-AutoRAG', 'search']),
  ...rows('Crawl4AI', ['crawl4ai', 'other', 'Crawl4AI']),
  ...rows('Direqt', ['Anomura', 'search']),
  ...rows('Exte', ['ExteContextCrawl', 'other']),
  ...rows('Flyriver', ['Flyriverbot', 'other']),
  ...rows('img2dataset', ['img2dataset', 'training']),
  ...rows('Kangaroo LLM', ['Kangaroo Bot', 'training', 'Kangaroo Bot', 'kangaroobot']),
  ...rows('Kunato', ['KunatoCrawler', 'training']),
  ...rows('LAION', ['laion-huggingface-processor', 'training']),
  ...rows('Novellum', ['Novellum', 'training']),
  ...rows('Poggio', ['Poggio-Citations', 'other']),
  ...rows('Semantic Visions', ['semantic-visions', 'other', 'Semantic Visions', 'semantic-visions']),
  ...rows('Sider', ['linkReader/', 'user', 'LinkReader']),
  ...rows('Spawning', ['Spawning-AI', 'other']),
  ...rows('TaraGroup', ['TaraGroup Intelligent Bot', 'other', 'TaraGroup Intelligent Bot', 'taragroup']),
  ...rows('Valyu', ['HenkBot', 'search']),
  ...rows('Zanista', ['ZanistaBot', 'search']),
];

const byToken = new Map(CRAWLERS.map((crawler) => [crawler.token.toLowerCase(), crawler]));

/** Longer tokens come first, because a pattern takes the first that matches. */
const tokens = [...byToken.keys()].sort((one, other) => other.length - one.length);

/** Matches tokens at the beginning of a word, so that TinyDevin/1.0 is not Devin. */
const TOKENS = new RegExp(`(?<![a-z0-9])(?:${tokens.join('|')})(?!-extended)`, 'gi');

/** The longest part of an agent that is read. No real agent is longer. */
const LONGEST = 512;

/** Finds the crawler of the longest token in an agent. An agent is kept for a second at most. */
const crawlerIn = cachedBriefly((text): Crawler | null => {
  const found = text.match(TOKENS) ?? [''];
  const longest = found.reduce((one, other) => (other.length > one.length ? other : one));
  return byToken.get(longest.toLowerCase()) ?? null;
}, 2_000);
