<?php
/**
 * Reports requests by AI crawlers to daybook. For WordPress, use the plugin in the folder wordpress instead.
 *
 * Define the three constants, and require this file before all other code, for example with auto_prepend_file.
 *
 *   define('DAYBOOK_SERVER', 'https://stats.example.com');
 *   define('DAYBOOK_SITE', 'example.com');
 *   define('DAYBOOK_TOKEN', '1|dbk_...');    // needs only the permission "collect"
 *
 * If a cache serves a page before PHP runs, this file does not see the request. In this case, let daybook read the web
 * server's log instead.
 */

// Words in the user agents of bots. The server knows which bots are AI crawlers, so a new crawler rarely needs a new word.
const DAYBOOK_BOT = '~bot|crawl|spider|scrap|fetch|agent|index|search|research|train|extended|additional|external'
    . '|compatible;|https?:|-(?:user|ai|web|code)\b|gpt|claude|gemini|google-|googleother|notebook|novaact|diffbot'
    . '|omgili|devin|opencode|perplexity|terracotta|autorag|anomura|dataset|laion|novellum|citations|visions|reader'
    . '|^(?!mozilla/|opera/).~i';

// A token may send 120 batches a minute. After a batch, further requests wait for this number of seconds.
const DAYBOOK_PAUSE = 5;

// Parts of pages. Only requests for pages, texts and feeds count.
const DAYBOOK_ASSET = '~\.(?:css|[cm]?js|map|wasm|webmanifest|png|apng|jpe?g|gif|webp|avif|jxl|heic|svg|ico|cur|bmp|tiff?'
    . '|woff2?|ttf|otf|eot|mp[34]|m4[av]|aac|web[am]|og[agv]|opus|wav|flac|mov|avi|mkv|m3u8)$~i';

const DAYBOOK_MOST = 500;

/** Adds a request, as JSON, to the waiting ones. If it is time to send, returns all of them and empties the file. */
function daybook_due(string $crawl): array
{
    $file = @fopen(sys_get_temp_dir() . '/daybook-' . hash('sha256', DAYBOOK_SITE . DAYBOOK_TOKEN), 'c+');
    if (!$file || !flock($file, LOCK_EX)) {
        return [$crawl];
    }
    // The first line is the time of the last batch, as a Unix timestamp. Each other line is a request.
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

/** Returns the current request as JSON, or null if it is not a request by a bot for a page. */
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
    // If the server is down, the requests are dropped.
    @file_get_contents($target, false, stream_context_create(['http' => $http]));
}

if (PHP_SAPI !== 'cli' && defined('DAYBOOK_TOKEN')) {
    register_shutdown_function(function (): void {
        $crawl = daybook_crawl();
        $due = $crawl === null ? [] : daybook_due($crawl);
        if ($due === []) {
            return;
        }
        // If PHP can do so, it first sends the response to the client.
        if (function_exists('fastcgi_finish_request')) {
            fastcgi_finish_request();
        }
        daybook_send($due);
    });
}
