<?php
/**
 * The settings of one website. In a network of websites, each has its own.
 *
 * Stored options:
 *   daybook         the settings, an array with the keys of daybook_default_settings()
 *   daybook_route   the random name in the URLs of the script and of its messages
 *   daybook_script  the stored copy of the script, with its time
 *   daybook_failure the last failure of the server, until a message gets through
 *
 * @package daybook
 */

defined( 'ABSPATH' ) || exit;

const DAYBOOK_OPTIONS = array( 'daybook', 'daybook_route', 'daybook_script', 'daybook_failure' );

/** The mark of an order that was counted. */
const DAYBOOK_COUNTED = '_daybook_counted';

/** Headers in which a proxy in front of WordPress may name the visitor's IP address. */
const DAYBOOK_ADDRESS_HEADERS = array( '', 'CF-Connecting-IP', 'X-Real-IP', 'X-Forwarded-For' );

/** The parameters that name a page while WordPress has plain permalinks. */
const DAYBOOK_PAGE_PARAMETERS = array( 'cat', 'p', 'page_id' );

/** Returns the settings that a new website has. */
function daybook_default_settings(): array {
	return array(
		'server'         => '',
		'domain'         => preg_replace( '/^www\./', '', (string) wp_parse_url( home_url(), PHP_URL_HOST ) ),
		'token'          => '',
		'share'          => '',
		'excluded_roles' => daybook_list_editing_roles(),
		'address_header' => '',
		'outbound'       => true,
		'downloads'      => true,
		'respect_dnt'    => false,
		'orders'         => true,
		'crawls'         => true,
	);
}

/**
 * Returns the settings. A constant in wp-config.php, such as DAYBOOK_TOKEN, comes before the stored value. So a token
 * does not have to be in the database, and a network of websites can share it.
 *
 * The token of wp-config.php goes only to the server of wp-config.php. Otherwise the administrator of one website in a
 * network could send it to a server of their own.
 */
function daybook_settings(): array {
	$settings = array_merge( daybook_default_settings(), (array) get_option( 'daybook', array() ) );
	if ( defined( 'DAYBOOK_SERVER' ) ) {
		$settings['server'] = (string) constant( 'DAYBOOK_SERVER' );
	}
	if ( defined( 'DAYBOOK_TOKEN' ) ) {
		$settings['token'] = defined( 'DAYBOOK_SERVER' ) ? (string) constant( 'DAYBOOK_TOKEN' ) : '';
	}
	return $settings;
}

/** Tells whether the website can count: it knows the server, its own name there, and a token. */
function daybook_is_ready( array $settings ): bool {
	return '' !== $settings['server'] && '' !== $settings['domain'] && '' !== $settings['token'];
}

/** Returns the roles whose members can edit posts. */
function daybook_list_editing_roles(): array {
	$editing = array();
	foreach ( wp_roles()->roles as $name => $role ) {
		if ( ! empty( $role['capabilities']['edit_posts'] ) ) {
			$editing[] = $name;
		}
	}
	return $editing;
}

/** Returns the random name in the URLs of the script and of its messages. Blockers cannot know it. */
function daybook_route(): string {
	$route = (string) get_option( 'daybook_route', '' );
	if ( '' === $route ) {
		$route = 'q' . substr( bin2hex( random_bytes( 4 ) ), 0, 7 );
		update_option( 'daybook_route', $route, true );
	}
	return $route;
}

/** Deletes everything that the plugin has stored about the present website. */
function daybook_delete_all(): void {
	global $wpdb;
	array_map( 'delete_option', DAYBOOK_OPTIONS );
	delete_post_meta_by_key( DAYBOOK_COUNTED );
	// WooCommerce may keep orders in tables of its own.
	$orders = $wpdb->prefix . 'wc_orders_meta';
	// phpcs:disable WordPress.DB.DirectDatabaseQuery.DirectQuery, WordPress.DB.DirectDatabaseQuery.NoCaching
	if ( $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $orders ) ) ) === $orders ) {
		// phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_key
		$wpdb->delete( $orders, array( 'meta_key' => DAYBOOK_COUNTED ) );
	}
	// phpcs:enable
	$waiting = daybook_crawls_file();
	if ( file_exists( $waiting ) ) {
		wp_delete_file( $waiting );
	}
}
