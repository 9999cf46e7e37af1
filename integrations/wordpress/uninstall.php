<?php
/**
 * Deletes everything that the plugin has stored, on each website of a network.
 *
 * @package daybook
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/includes/settings.php';
require_once __DIR__ . '/includes/crawls.php';

if ( is_multisite() ) {
	$daybook_websites = get_sites(
		array(
			'fields' => 'ids',
			'number' => 0,
		)
	);
	foreach ( $daybook_websites as $daybook_website ) {
		switch_to_blog( $daybook_website );
		daybook_delete_all();
		restore_current_blog();
	}
} else {
	daybook_delete_all();
}
