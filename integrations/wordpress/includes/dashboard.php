<?php
/**
 * Shows the reports in wp-admin: a share link in a frame. The link, or the website in daybook's settings, must allow
 * this website as an origin.
 *
 * @package daybook
 */

defined( 'ABSPATH' ) || exit;

/** Adds the page of the reports, if there is a share link, and the page of the settings. */
function daybook_add_pages(): void {
	if ( '' !== daybook_settings()['share'] ) {
		/**
		 * Changes the capability that a user needs to see the reports.
		 *
		 * @param string $capability The capability.
		 */
		$capability = (string) apply_filters( 'daybook_view_capability', 'edit_others_posts' );
		add_dashboard_page( __( 'Statistics', 'daybook' ), __( 'Statistics', 'daybook' ), $capability, 'daybook-statistics', 'daybook_show_statistics' );
	}
	add_options_page( 'daybook', 'daybook', 'manage_options', 'daybook', 'daybook_show_settings' );
}

/** Shows the reports in a frame, which grows with them. */
function daybook_show_statistics(): void {
	$share = daybook_settings()['share'];
	printf(
		'<div class="wrap"><h1>%1$s</h1><iframe id="daybook-reports" src="%2$s" title="%1$s" width="100%%" height="1200" style="border: 0"></iframe><p><a href="%2$s" target="_blank" rel="noopener">%3$s</a></p></div>',
		esc_html__( 'Statistics', 'daybook' ),
		esc_url( $share ),
		esc_html__( 'Open the reports in a new tab', 'daybook' )
	);
	wp_print_inline_script_tag(
		'addEventListener("message", function (event) {
			var frame = document.getElementById("daybook-reports");
			if (event.source === frame.contentWindow && event.data.daybookHeight > 0) frame.height = event.data.daybookHeight;
		});'
	);
}
