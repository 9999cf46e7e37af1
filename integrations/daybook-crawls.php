<?php
/**
 * Plugin Name: daybook crawls
 * Description: Tells daybook of the requests of AI crawlers.
 *
 * WordPress: put this file into wp-content/mu-plugins and the three constants into wp-config.php. Plain PHP: define them and
 * require this file first, for instance by auto_prepend_file.
 *
 *   define('DAYBOOK_SERVER', 'https://stats.example.com');
 *   define('DAYBOOK_SITE', 'example.com');
 *   define('DAYBOOK_TOKEN', '1|dbk_...');    // ability collect
 *
 * Pages that a cache answers do not run PHP and are not seen; there, read the web server's log instead.
 */

// Most words that bots use of themselves. The server knows which are AI crawlers, so that new ones need no new words.
const DAYBOOK_BOT = '~bot|crawl|spider|scrap|fetch|agent|index|search|research|train|extended|additional|external'
    . '|compatible;|https?:|-(?:user|ai|web|code)\b|gpt|claude|gemini|google-|googleother|notebook|novaact|diffbot'
    . '|omgili|devin|opencode|perplexity|terracotta|autorag|anomura|dataset|laion|novellum|citations|visions|reader'
    . '|^(?!mozilla/|opera/).~i';

// A token may send 120 requests a minute: after one, others wait for so many seconds and go together.
const DAYBOOK_PAUSE = 5;

// What pages are made of; crawlers are counted for pages, texts and feeds.
const DAYBOOK_ASSET = '~\.(?:css|[cm]?js|map|wasm|webmanifest|png|apng|jpe?g|gif|webp|avif|jxl|heic|svg|ico|cur|bmp|tiff?'
    . '|woff2?|ttf|otf|eot|mp[34]|m4[av]|aac|web[am]|og[agv]|opus|wav|flac|mov|avi|mkv|m3u8)$~i';

const DAYBOOK_MOST = 500;

/** Puts a crawl, as JSON, to those that wait, and takes all of them if it is time to send. */
function daybook_due(string $crawl): array
{
    $file = @fopen(sys_get_temp_dir() . '/daybook-' . hash('sha256', DAYBOOK_SITE . DAYBOOK_TOKEN), 'c+');
    if (!$file || !flock($file, LOCK_EX)) {
        return [$crawl];
    }
    // The first line is the second of the last request; each of the others is a crawl.
    $lines = array_filter(explode("\n", stream_get_contents($file)));
    $sent = (int) array_shift($lines);
    if (count($lines) < DAYBOOK_MOST) {
        $lines[] = $crawl;
    }
    $isDue = time() - $sent >= DAYBOOK_PAUSE;
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, implode("\n", $isDue ? [time()] : [$sent, ...$lines]));
    fclose($file);
    return $isDue ? $lines : [];
}

/** The request that is being answered, if it is a bot's for a page. */
function daybook_crawl(): ?string
{
    $agent = $_SERVER['HTTP_USER_AGENT'] ?? '';
    $path = explode('?', $_SERVER['REQUEST_URI'] ?? '', 2)[0];
    if (!preg_match(DAYBOOK_BOT, $agent) || preg_match(DAYBOOK_ASSET, $path) || !str_starts_with($path, '/')) {
        return null;
    }
    $crawl = [
        'url' => 'https://' . DAYBOOK_SITE . substr($path, 0, 1024),
        'agent' => substr($agent, 0, 256),
        'status' => http_response_code() ?: 200,
        'at' => gmdate('Y-m-d\TH:i:s\Z'),
    ];
    return json_encode($crawl, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
}

function daybook_send(array $crawls): void
{
    $http = [
        'method' => 'POST',
        'header' => ['Content-Type: application/json', 'Authorization: Bearer ' . DAYBOOK_TOKEN],
        'content' => '[' . implode(',', $crawls) . ']',
        'timeout' => 2,
        'ignore_errors' => true,
    ];
    $target = DAYBOOK_SERVER . '/api/v1/sites/' . DAYBOOK_SITE . '/crawls';
    // If the server is down, they are forgotten.
    @file_get_contents($target, false, stream_context_create(['http' => $http]));
}

if (PHP_SAPI !== 'cli' && defined('DAYBOOK_TOKEN')) {
    register_shutdown_function(function (): void {
        $crawl = daybook_crawl();
        $due = $crawl === null ? [] : daybook_due($crawl);
        if ($due === []) {
            return;
        }
        // The answer goes out first, where PHP can do that.
        if (function_exists('fastcgi_finish_request')) {
            fastcgi_finish_request();
        }
        daybook_send($due);
    });
}
