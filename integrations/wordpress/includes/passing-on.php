<?php
/**
 * Answers the requests for the script and for its messages, before WordPress looks for a page.
 *
 * Invariant: a message is passed on for the domain of the settings only. So nobody can use the token of this website
 * for other websites on the server.
 *
 * @package daybook
 */

defined( 'ABSPATH' ) || exit;

const DAYBOOK_MESSAGE_BYTES = 8 * KB_IN_BYTES;

/** Headers of a browser that daybook reads, besides the user agent. */
const DAYBOOK_PASSED_HEADERS = array(
	'Accept-Language',
	'Sec-CH-UA',
	'Sec-CH-UA-Platform',
	'Sec-CH-UA-Mobile',
	'Sec-Purpose',
	'X-Moz',
);

/** Answers a request of the script and ends it. Leaves all other requests alone. */
function daybook_answer_request(): void {
	$route = (string) get_option( 'daybook_route', '' );
	// Visitors have no nonce: a page may come from a cache that is days old. The answer depends on nothing secret.
	// phpcs:ignore WordPress.Security.NonceVerification.Recommended
	if ( '' === $route || ! isset( $_GET[ $route ] ) ) {
		return;
	}
	$settings = daybook_settings();
	if ( ! daybook_is_ready( $settings ) ) {
		status_header( 404 );
		exit;
	}
	if ( ! defined( 'DONOTCACHEPAGE' ) ) {
		define( 'DONOTCACHEPAGE', true ); // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals
	}
	header( 'X-Content-Type-Options: nosniff' );
	header( 'X-Robots-Tag: noindex' );
	$method = isset( $_SERVER['REQUEST_METHOD'] ) ? sanitize_key( $_SERVER['REQUEST_METHOD'] ) : '';
	if ( 'post' === $method ) {
		daybook_take_message( $settings );
	} else {
		daybook_send_script( $settings );
	}
	exit;
}

/** Sends the stored script. The browser may keep it for a day. */
function daybook_send_script( array $settings ): void {
	$text = daybook_script( $settings );
	if ( '' === $text ) {
		status_header( 503 );
		nocache_headers();
		return;
	}
	$tag = '"' . md5( $text ) . '"';
	header( 'Content-Type: text/javascript; charset=utf-8' );
	header( 'Cache-Control: public, max-age=86400' );
	header( 'ETag: ' . $tag );
	if ( daybook_header( 'If-None-Match' ) === $tag ) {
		status_header( 304 );
		return;
	}
	// The script comes from the server that the administrator chose. Escaping would break it.
	echo $text; // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped
}

/** Answers a message at once, and passes it on after the answer. */
function daybook_take_message( array $settings ): void {
	nocache_headers();
	header( 'Content-Length: 0' );
	$body = (string) file_get_contents( 'php://input', false, null, 0, DAYBOOK_MESSAGE_BYTES + 1 );
	$sent = json_decode( $body );
	if ( strlen( $body ) > DAYBOOK_MESSAGE_BYTES || ! is_object( $sent ) ) {
		status_header( 400 );
		return;
	}
	$sent->site = $settings['domain'];
	status_header( 202 );
	daybook_after_answer(
		function () use ( $settings, $sent ) {
			daybook_pass_on( $settings, $sent );
		}
	);
}

/** Passes a message on, with what the browser said and the IP address of the visitor. */
function daybook_pass_on( array $settings, object $message ): void {
	$address = daybook_visitor_address( $settings );
	if ( '' === $address ) {
		return;
	}
	$headers = array(
		'Content-Type'       => 'text/plain; charset=utf-8',
		'Daybook-Visitor-IP' => $address,
	);
	foreach ( DAYBOOK_PASSED_HEADERS as $name ) {
		$value = daybook_header( $name );
		if ( '' !== $value ) {
			$headers[ $name ] = $value;
		}
	}
	$url = daybook_server_urls( $settings )['messages'];
	// Escaped letters would make a message longer than daybook takes.
	$body = (string) wp_json_encode( $message, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES );
	daybook_post( $settings, $url, $body, $headers, daybook_header( 'User-Agent' ) );
}
