<?php
/**
 * Plugin Name: daybook
 * Description: Counts visits with your own daybook server: without cookies, through the URLs of your own website.
 * Version: 0.1.0
 * Requires at least: 6.2
 * Requires PHP: 7.4
 * Author: the daybook developers
 * License: MIT
 * License URI: https://opensource.org/license/mit
 * Text Domain: daybook
 * Domain Path: /languages
 *
 * The visitor's browser only talks to this website:
 *
 *   browser            WordPress                                daybook server
 *   GET  /?abc=x.js -> a stored copy of the script
 *   POST /?abc=x    -> answers 202, then passes the message on -> POST /day, with the token and the visitor's IP address
 *
 * The name `abc` is random for each website. A query on the home page needs no permalinks, no REST API and no rule of
 * the web server. Web servers often answer paths that end with .js themselves, and blockers know no such name.
 *
 * @package daybook
 */

defined( 'ABSPATH' ) || exit;

require __DIR__ . '/includes/settings.php';
require __DIR__ . '/includes/server.php';
require __DIR__ . '/includes/visitors.php';
require __DIR__ . '/includes/passing-on.php';
require __DIR__ . '/includes/crawls.php';
require __DIR__ . '/includes/orders.php';

add_action( 'plugins_loaded', 'daybook_answer_request' );
add_action( 'wp_head', 'daybook_print_snippet', 1 );
add_action( 'shutdown', 'daybook_report_crawls', 20 );
add_action( 'woocommerce_thankyou', 'daybook_count_order' );

if ( is_admin() ) {
	require __DIR__ . '/includes/settings-page.php';
	require __DIR__ . '/includes/dashboard.php';

	add_action( 'init', 'daybook_load_translations' );
	add_action( 'admin_init', 'daybook_register_settings' );
	add_action( 'admin_init', 'daybook_suggest_privacy_policy' );
	add_action( 'admin_menu', 'daybook_add_pages' );
	add_action( 'add_option_daybook', 'daybook_check_connection', 10, 0 );
	add_action( 'update_option_daybook', 'daybook_check_connection', 10, 0 );
	add_filter( 'plugin_action_links_' . plugin_basename( __FILE__ ), 'daybook_add_settings_link' );
}

/** Loads the texts that come with the plugin. */
function daybook_load_translations(): void {
	load_plugin_textdomain( 'daybook', false, basename( __DIR__ ) . '/languages' );
}
