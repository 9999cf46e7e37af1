// The well-known sources. Each has a host, a name and a kind: a search engine, a social network or an assistant.
//
// Invariant: an imported visit and a live visit from one website have equal sources. Other products store names of
// sources. An import replaces such a name with the host that browsers send.
//
// Example: the row `google.*` gives the source `google.de` the name Google and the kind search. An import with the name
// "Google" gets the source google.com. Imports call findHost, src/api calls findKnownSource, and channel.ts reads
// `SOURCES`.

type SourceKind = 'search' | 'social' | 'assistant';
type KnownSource = { host: string; name: string; kind: SourceKind };

const makeRows = (kind: SourceKind, names: Record<string, string>): KnownSource[] =>
  Object.entries(names).map(([host, name]) => ({ host, name, kind }));

/**
 * The well-known sources. A row also applies to subdomains of its host. A host that ends in ".*" means the same name in
 * all countries, such as google.de and google.fr. Such a row does not apply to subdomains. Several rows may have the
 * same name. Then imports use the host of the first row for this name.
 */
export const SOURCES: readonly KnownSource[] = [
  ...makeRows('search', {
    'google.*': 'Google',
    'images.google.*': 'Google Images',
    'news.google.com': 'Google News',
    'scholar.google.*': 'Google Scholar',
    'com.google.android.googlequicksearchbox': 'Google app',
    'bing.com': 'Bing',
    'duckduckgo.com': 'DuckDuckGo',
    'search.yahoo.com': 'Yahoo',
    'search.yahoo.co.jp': 'Yahoo Japan',
    'yandex.ru': 'Yandex',
    'yandex.*': 'Yandex',
    'ya.ru': 'Yandex',
    'baidu.com': 'Baidu',
    'sogou.com': 'Sogou',
    'so.com': '360 Search',
    'sm.cn': 'Shenma',
    'so.toutiao.com': 'Toutiao',
    'search.naver.com': 'Naver',
    'search.daum.net': 'Daum',
    'ecosia.org': 'Ecosia',
    'search.brave.com': 'Brave Search',
    'startpage.com': 'Startpage',
    'qwant.com': 'Qwant',
    'kagi.com': 'Kagi',
    'mojeek.com': 'Mojeek',
    'swisscows.com': 'Swisscows',
    'metager.org': 'MetaGer',
    'metager.de': 'MetaGer',
    'search.seznam.cz': 'Seznam',
    'go.mail.ru': 'Mail.ru',
    'nova.rambler.ru': 'Rambler',
    'coccoc.com': 'Cốc Cốc',
    'petalsearch.com': 'Petal Search',
    'search.aol.com': 'AOL',
    'ask.com': 'Ask',
    'dogpile.com': 'Dogpile',
    'lilo.org': 'Lilo',
    'presearch.com': 'Presearch',
    'suche.t-online.de': 'T-Online',
    'suche.web.de': 'WEB.DE',
    'suche.gmx.net': 'GMX',
  }),
  ...makeRows('social', {
    'facebook.com': 'Facebook',
    'fb.com': 'Facebook',
    'fb.me': 'Facebook',
    'com.facebook.katana': 'Facebook',
    'messenger.com': 'Messenger',
    'instagram.com': 'Instagram',
    'com.instagram.android': 'Instagram',
    'threads.net': 'Threads',
    'threads.com': 'Threads',
    'x.com': 'X',
    'twitter.com': 'X',
    't.co': 'X',
    'com.twitter.android': 'X',
    'linkedin.com': 'LinkedIn',
    'lnkd.in': 'LinkedIn',
    'com.linkedin.android': 'LinkedIn',
    'reddit.com': 'Reddit',
    'redd.it': 'Reddit',
    'com.reddit.frontpage': 'Reddit',
    'pinterest.com': 'Pinterest',
    'pinterest.*': 'Pinterest',
    'pin.it': 'Pinterest',
    'youtube.com': 'YouTube',
    'youtu.be': 'YouTube',
    'tiktok.com': 'TikTok',
    'snapchat.com': 'Snapchat',
    'whatsapp.com': 'WhatsApp',
    'wa.me': 'WhatsApp',
    'telegram.org': 'Telegram',
    't.me': 'Telegram',
    'org.telegram.messenger': 'Telegram',
    'discord.com': 'Discord',
    'discord.gg': 'Discord',
    'bsky.app': 'Bluesky',
    'mastodon.social': 'Mastodon',
    'mastodon.online': 'Mastodon',
    'mas.to': 'Mastodon',
    'tumblr.com': 'Tumblr',
    't.umblr.com': 'Tumblr',
    'quora.com': 'Quora',
    'medium.com': 'Medium',
    'substack.com': 'Substack',
    'news.ycombinator.com': 'Hacker News',
    'lobste.rs': 'Lobsters',
    'lemmy.world': 'Lemmy',
    'slashdot.org': 'Slashdot',
    'flipboard.com': 'Flipboard',
    'twitch.tv': 'Twitch',
    'vimeo.com': 'Vimeo',
    'nextdoor.com': 'Nextdoor',
    'xing.com': 'Xing',
    'vk.com': 'VK',
    'ok.ru': 'Odnoklassniki',
    'weibo.com': 'Weibo',
    'weibo.cn': 'Weibo',
    't.cn': 'Weibo',
    'zhihu.com': 'Zhihu',
    'douban.com': 'Douban',
    'douyin.com': 'Douyin',
    'bilibili.com': 'Bilibili',
    'xiaohongshu.com': 'Xiaohongshu',
    'line.me': 'Line',
    'b.hatena.ne.jp': 'Hatena',
  }),
  ...makeRows('assistant', {
    'chatgpt.com': 'ChatGPT',
    'chat.openai.com': 'ChatGPT',
    'com.openai.chatgpt': 'ChatGPT',
    'claude.ai': 'Claude',
    'com.anthropic.claude': 'Claude',
    'perplexity.ai': 'Perplexity',
    'ai.perplexity.app.android': 'Perplexity',
    'gemini.google.com': 'Gemini',
    'bard.google.com': 'Gemini',
    'notebooklm.google.com': 'NotebookLM',
    'copilot.microsoft.com': 'Copilot',
    'copilot.cloud.microsoft': 'Copilot',
    'edgeservices.bing.com': 'Copilot',
    'grok.com': 'Grok',
    'meta.ai': 'Meta AI',
    'chat.deepseek.com': 'DeepSeek',
    'duck.ai': 'Duck.ai',
    'chat.mistral.ai': 'Le Chat',
    'you.com': 'You.com',
    'poe.com': 'Poe',
    'phind.com': 'Phind',
    'andisearch.com': 'Andi',
    'pi.ai': 'Pi',
    'genspark.ai': 'Genspark',
    'felo.ai': 'Felo',
    'iask.ai': 'iAsk',
    'kimi.com': 'Kimi',
    'chat.qwen.ai': 'Qwen',
    'doubao.com': 'Doubao',
    'yuanbao.tencent.com': 'Yuanbao',
    'chat.z.ai': 'Z.ai',
  }),
];

const byHost = new Map(SOURCES.map((row) => [row.host, row]));

/**
 * Hosts for names that Plausible, GoatCounter and Google write for sources. These names are not in `SOURCES`, therefore
 * imports look for them here.
 */
const SPELLINGS: Record<string, string> = {
  'Yahoo!': 'search.yahoo.com',
  'Yahoo! Mail': 'mail.yahoo.com',
  Brave: 'search.brave.com',
  'Yandex Search': 'yandex.ru',
  Twitter: 'x.com',
  'Twitter/X': 'x.com',
  Vkontakte: 'vk.com',
  'Telegram Messenger': 'telegram.org',
  Slack: 'slack.com',
  'Slack Chat': 'slack.com',
  'Microsoft Teams': 'teams.microsoft.com',
  Gmail: 'mail.google.com',
  GitHub: 'github.com',
  GitLab: 'gitlab.com',
  'Stack Overflow': 'stackoverflow.com',
  Wikipedia: 'wikipedia.org',
  'Product Hunt': 'producthunt.com',
  // GoatCounter has one name for all mail programs, and one name for all feed readers. These programs and readers have
  // no host, therefore the name itself is stored.
  Email: 'email',
  RSS: 'rss',
};

const makeKey = (name: string): string => name.trim().toLowerCase();

/** Maps a name to its host. If several rows of `SOURCES` have the same name, the first row decides. */
const HOSTS = new Map(
  [
    ...Object.entries(SPELLINGS),
    ...SOURCES.map(({ name, host }) => [name, host.replace(/\.\*$/, '.com')] as const).reverse(),
  ].map(([name, host]) => [makeKey(name), host]),
);

/**
 * Finds the host of a source by a name that another product stored, such as Google or facebook. With the host, imported
 * visits have the same source as live visits (test/classify/known-sources.test.ts).
 */
export const findHost = (name: string): string | undefined => HOSTS.get(makeKey(name));

/** Matches the country ending of a host: .com, .de, .co.uk, .com.br. */
const NATIONAL = /\.(?:com|(?:com?\.)?[a-z]{2})$/;

/**
 * Finds the row of a source. The most specific row decides: gemini.google.com is an assistant, although google.com is a
 * search engine.
 */
export function findKnownSource(source: string): KnownSource | undefined {
  let row = byHost.get(source) ?? byHost.get(source.replace(NATIONAL, '.*'));
  for (let dot = source.indexOf('.'); !row && dot >= 0; dot = source.indexOf('.', dot + 1)) {
    row = byHost.get(source.slice(dot + 1));
  }
  return row;
}
