<?php
/**
 * Visitors: which of them count, their IP address, and the snippet in the pages that they see.
 *
 * @package daybook
 */

defined( 'ABSPATH' ) || exit;

/** Tells whether the present visitor counts. Members of the excluded roles do not, nor do previews of a page. */
function daybook_counts_visitor( array $settings ): bool {
	if ( ! daybook_is_ready( $settings ) || is_preview() || is_customize_preview() ) {
		return false;
	}
	$roles = (array) wp_get_current_user()->roles;
	// In a network, a super admin may have no role on this website.
	if ( is_multisite() && is_super_admin() ) {
		$roles[] = 'administrator';
	}
	$counts = ! array_intersect( $roles, $settings['excluded_roles'] );
	/**
	 * Decides whether the present visitor counts.
	 *
	 * @param bool $counts Whether the settings let the visitor count.
	 */
	return (bool) apply_filters( 'daybook_counts_visitor', $counts );
}

/** Prints the tag of the script. Plugins that join or delay scripts must leave it alone, so it says so. */
function daybook_print_snippet(): void {
	$settings = daybook_settings();
	if ( ! daybook_counts_visitor( $settings ) ) {
		return;
	}
	wp_print_script_tag(
		array_filter(
			array(
				'src'              => home_url( '/?' . daybook_route() . '=x.js' ),
				'defer'            => true,
				'data-site'        => $settings['domain'],
				'data-outbound'    => (bool) $settings['outbound'],
				'data-downloads'   => (bool) $settings['downloads'],
				'data-respect-dnt' => (bool) $settings['respect_dnt'],
				'data-404'         => is_404(),
				'data-cfasync'     => 'false',
				'data-no-optimize' => '1',
				'data-noptimize'   => '1',
			)
		)
	);
}

/**
 * Returns the IP address of the visitor, or an empty text. A header counts only if the settings name it, because
 * without a proxy anybody can send it.
 */
function daybook_visitor_address( array $settings ): string {
	$address = isset( $_SERVER['REMOTE_ADDR'] ) ? sanitize_text_field( wp_unslash( $_SERVER['REMOTE_ADDR'] ) ) : '';
	$header  = $settings['address_header'];
	if ( '' !== $header && in_array( $header, DAYBOOK_ADDRESS_HEADERS, true ) ) {
		// The proxy has added the last IP address. Anybody can send the ones before it.
		$entries = explode( ',', daybook_header( $header ) );
		$named   = trim( end( $entries ) );
		if ( filter_var( $named, FILTER_VALIDATE_IP ) ) {
			$address = $named;
		}
	}
	/**
	 * Changes the IP address of the visitor, for unusual proxies.
	 *
	 * @param string $address The IP address.
	 */
	$address = (string) apply_filters( 'daybook_visitor_address', $address );
	return filter_var( $address, FILTER_VALIDATE_IP ) ? $address : '';
}

/** Returns a header of the request, such as `Accept-Language`. Line breaks cannot pass. */
function daybook_header( string $name ): string {
	$key = 'HTTP_' . strtoupper( str_replace( '-', '_', $name ) );
	// A header is passed on as it is. HTML in it is harmless, and an agent must keep its exact form.
	// phpcs:ignore WordPress.Security.ValidatedSanitizedInput.InputNotSanitized
	$value = isset( $_SERVER[ $key ] ) ? (string) wp_unslash( $_SERVER[ $key ] ) : '';
	return substr( preg_replace( '/[\x00-\x1f\x7f]/', '', $value ), 0, 1024 );
}
