<?php
/**
 * Requests to the daybook server. Each ends after a few seconds at most.
 *
 * After a failure, no request is made for ten seconds. So a server that is down does not keep the processes of
 * WordPress busy, whether visitors ask for the script or send messages.
 *
 * @package daybook
 */

defined( 'ABSPATH' ) || exit;

const DAYBOOK_TIMEOUT_SECONDS = 2;
const DAYBOOK_PAUSE_SECONDS   = 10;
const DAYBOOK_SCRIPT_SECONDS  = 12 * HOUR_IN_SECONDS;

/**
 * Returns the URL of the server, and the URL to which its script sends messages. The setting may be the URL of the
 * script, because a server can have its script under another path.
 */
function daybook_server_urls( array $settings ): array {
	$server = untrailingslashit( $settings['server'] );
	if ( '.js' === substr( $server, -3 ) ) {
		return array(
			'base'     => dirname( $server ),
			'messages' => substr( $server, 0, -3 ),
		);
	}
	return array(
		'base'     => $server,
		'messages' => $server . '/day',
	);
}

/**
 * Sends a POST request with the token. Returns the status of the answer, or 0 if there was none. A failure is stored,
 * so that the page of the settings can show it.
 */
function daybook_post( array $settings, string $url, string $body, array $headers, string $agent ): int {
	if ( daybook_is_paused() ) {
		return 0;
	}
	$answer = wp_remote_post(
		$url,
		array(
			'timeout'     => DAYBOOK_TIMEOUT_SECONDS,
			'redirection' => 0,
			'user-agent'  => $agent,
			'headers'     => array( 'Authorization' => 'Bearer ' . $settings['token'] ) + $headers,
			'body'        => $body,
		)
	);
	$status = is_wp_error( $answer ) ? 0 : (int) wp_remote_retrieve_response_code( $answer );
	// A message of a stranger may be wrong in itself (status 413 or 422). That is no failure of the server.
	if ( $status < 200 || $status >= 500 || in_array( $status, array( 301, 302, 307, 308, 401, 403, 404, 429 ), true ) ) {
		daybook_note_failure( $status, $answer );
	} elseif ( get_option( 'daybook_failure' ) ) {
		delete_option( 'daybook_failure' );
	}
	return $status;
}

/** Tells whether a request has failed a few seconds ago. */
function daybook_is_paused(): bool {
	$failure = get_option( 'daybook_failure' );
	return $failure && time() - $failure['at'] < DAYBOOK_PAUSE_SECONDS;
}

/**
 * Stores a failure.
 *
 * @param int            $status The status of the answer, or 0 if there was none.
 * @param array|WP_Error $answer The answer, or why there was none.
 */
function daybook_note_failure( int $status, $answer ): void {
	update_option(
		'daybook_failure',
		array(
			'at'     => time(),
			'status' => $status,
			'detail' => is_wp_error( $answer ) ? $answer->get_error_message() : '',
		),
		true
	);
}

/** Returns the script, or an empty text if it was never fetched. An old copy is renewed after the answer. */
function daybook_script( array $settings ): string {
	$stored = get_option( 'daybook_script' );
	if ( ! $stored ) {
		return daybook_fetch_script( $settings );
	}
	if ( time() - $stored['at'] > DAYBOOK_SCRIPT_SECONDS ) {
		daybook_after_answer(
			function () use ( $settings ) {
				daybook_fetch_script( $settings );
			}
		);
	}
	return $stored['text'];
}

/** Fetches the script and stores it. If the server does not answer, the stored copy stays for another hour. */
function daybook_fetch_script( array $settings ): string {
	$stored = get_option( 'daybook_script' );
	if ( ! $stored && daybook_is_paused() ) {
		return '';
	}
	$keep      = '' === get_option( 'permalink_structure' ) ? '?keep=' . implode( ',', DAYBOOK_PAGE_PARAMETERS ) : '';
	$answer    = wp_remote_get(
		daybook_server_urls( $settings )['messages'] . '.js' . $keep,
		array( 'timeout' => DAYBOOK_TIMEOUT_SECONDS )
	);
	$status    = is_wp_error( $answer ) ? 0 : (int) wp_remote_retrieve_response_code( $answer );
	$is_script = 200 === $status
		&& 0 === strpos( (string) wp_remote_retrieve_header( $answer, 'content-type' ), 'text/javascript' );
	$text      = $is_script ? wp_remote_retrieve_body( $answer ) : (string) ( $stored['text'] ?? '' );
	if ( $status < 200 || $status >= 500 ) {
		daybook_note_failure( $status, $answer );
	}
	if ( '' !== $text ) {
		$at = $is_script ? time() : time() - DAYBOOK_SCRIPT_SECONDS + HOUR_IN_SECONDS;
		update_option( 'daybook_script', compact( 'text', 'at' ), false );
	}
	return $text;
}

/** Does `$work` after the visitor has the whole answer, where PHP can do so. */
function daybook_after_answer( callable $work ): void {
	add_action(
		'shutdown',
		function () use ( $work ) {
			if ( function_exists( 'fastcgi_finish_request' ) ) {
				fastcgi_finish_request();
			} elseif ( function_exists( 'litespeed_finish_request' ) ) {
				litespeed_finish_request();
			} else {
				flush();
			}
			$work();
		},
		30
	);
}
