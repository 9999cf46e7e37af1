<?php
/**
 * Reports requests of bots. The server knows which of them are AI crawlers.
 *
 * A request waits in a file of PHP's temporary folder. At most once in five seconds, the waiting ones are sent. If the
 * server is down, they are dropped. If a cache serves a page before PHP runs, the request is not seen.
 *
 * @package daybook
 */

defined( 'ABSPATH' ) || exit;

/** Words in the user agents of bots. A new crawler rarely needs a new word. */
const DAYBOOK_BOTS = '~bot|crawl|spider|scrap|fetch|agent|index|search|research|train|extended|additional|external'
	. '|compatible;|https?:|-(?:user|ai|web|code)\b|gpt|claude|gemini|google-|googleother|notebook|novaact|diffbot'
	. '|omgili|devin|opencode|perplexity|terracotta|autorag|anomura|dataset|laion|novellum|citations|visions|reader'
	. '|^(?!mozilla/|opera/).~i';

/** Parts of pages. Only requests for pages, texts and feeds count. */
const DAYBOOK_PARTS = '~\.(?:css|[cm]?js|map|wasm|webmanifest|png|apng|jpe?g|gif|webp|avif|jxl|heic|svg|ico|cur|bmp|tiff?'
	. '|woff2?|ttf|otf|eot|mp[34]|m4[av]|aac|web[am]|og[agv]|opus|wav|flac|mov|avi|mkv|m3u8)$~i';

const DAYBOOK_CRAWLS_SECONDS = 5;
const DAYBOOK_MOST_CRAWLS    = 500;

/** Reports the present request if it is one of a bot for a page, and sends the waiting ones if it is time. */
function daybook_report_crawls(): void {
	$settings = daybook_settings();
	if ( is_admin() || wp_doing_cron() || ! $settings['crawls'] || ! daybook_is_ready( $settings ) || daybook_has_old_file() ) {
		return;
	}
	// The script is no page.
	// phpcs:ignore WordPress.Security.NonceVerification.Recommended
	if ( isset( $_GET[ daybook_route() ] ) ) {
		return;
	}
	$crawl = daybook_find_crawl( $settings );
	$due   = null === $crawl ? array() : daybook_add_crawl( $crawl );
	if ( array() === $due ) {
		return;
	}
	daybook_after_answer(
		function () use ( $settings, $due ) {
			$url = daybook_server_urls( $settings )['base'] . '/api/v1/sites/' . rawurlencode( $settings['domain'] ) . '/crawls';
			daybook_post( $settings, $url, '[' . implode( ',', $due ) . ']', array( 'Content-Type' => 'application/json' ), 'daybook for WordPress' );
		}
	);
}

/** The file for PHP without WordPress counts crawlers too. With both, each request would count twice. */
function daybook_has_old_file(): bool {
	return function_exists( 'daybook_crawl' );
}

/** Returns the present request as JSON, or null if it does not count. */
function daybook_find_crawl( array $settings ): ?string {
	$agent = daybook_header( 'User-Agent' );
	// The path is sent as it came, because daybook decides what it stores of it.
	// phpcs:ignore WordPress.Security.ValidatedSanitizedInput.InputNotSanitized
	$path = explode( '?', isset( $_SERVER['REQUEST_URI'] ) ? (string) wp_unslash( $_SERVER['REQUEST_URI'] ) : '', 2 )[0];
	if ( ! preg_match( DAYBOOK_BOTS, $agent ) || preg_match( DAYBOOK_PARTS, $path ) || 0 !== strpos( $path, '/' ) ) {
		return null;
	}
	$query = '';
	if ( '' === get_option( 'permalink_structure' ) ) {
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended
		$named = array_filter( array_intersect_key( $_GET, array_flip( DAYBOOK_PAGE_PARAMETERS ) ), 'is_string' );
		$query = $named ? '?' . http_build_query( $named ) : '';
	}
	$crawl = array(
		'url'    => 'https://' . $settings['domain'] . substr( $path, 0, 1024 ) . substr( $query, 0, 256 ),
		'agent'  => substr( $agent, 0, 256 ),
		'status' => http_response_code() ? http_response_code() : 200,
		'at'     => gmdate( 'Y-m-d\TH:i:s\Z' ),
	);
	$json  = wp_json_encode( $crawl, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES );
	return $json ? $json : null;
}

/** The file in which requests wait. */
function daybook_crawls_file(): string {
	return get_temp_dir() . 'daybook-' . wp_hash( 'daybook ' . home_url() );
}

/** Adds a request to the waiting ones. If it is time to send, returns all of them and empties the file. */
function daybook_add_crawl( string $crawl ): array {
	// WordPress' file functions cannot lock a file, so PHP's are used.
	// phpcs:disable WordPress.WP.AlternativeFunctions, WordPress.PHP.NoSilencedErrors
	$file = @fopen( daybook_crawls_file(), 'c+' );
	if ( ! $file || ! flock( $file, LOCK_EX ) ) {
		return array( $crawl );
	}
	// The first line is the time of the last batch. Each other line is a request.
	$lines = array_filter( explode( "\n", (string) stream_get_contents( $file ) ) );
	$sent  = (int) array_shift( $lines );
	if ( count( $lines ) < DAYBOOK_MOST_CRAWLS ) {
		$lines[] = $crawl;
	}
	$is_due = time() - $sent >= DAYBOOK_CRAWLS_SECONDS;
	ftruncate( $file, 0 );
	rewind( $file );
	fwrite( $file, implode( "\n", $is_due ? array( time() ) : array_merge( array( $sent ), $lines ) ) );
	fclose( $file );
	// phpcs:enable
	return $is_due ? $lines : array();
}
