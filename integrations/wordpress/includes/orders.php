<?php
/**
 * Counts orders of WooCommerce as events named `order`, with their total and currency as revenue.
 *
 * The browser sends the event, so the event belongs to the visit, and visitors that opted out stay uncounted.
 *
 * Invariant: an order counts once, also if its thank-you page is loaded again. A mark on the order says that it was
 * counted.
 *
 * @package daybook
 */

defined( 'ABSPATH' ) || exit;

/**
 * Prints the event of an order into its thank-you page.
 *
 * @param int|string $order_id The id that WooCommerce gives.
 */
function daybook_count_order( $order_id ): void {
	$settings = daybook_settings();
	$order    = wc_get_order( $order_id );
	if ( ! $settings['orders'] || ! $order || $order->has_status( array( 'failed', 'cancelled' ) ) ) {
		return;
	}
	if ( $order->get_meta( DAYBOOK_COUNTED ) || ! daybook_counts_visitor( $settings ) ) {
		return;
	}
	$order->update_meta_data( DAYBOOK_COUNTED, time() );
	$order->save_meta_data();
	$details = array(
		'revenue' => array(
			'amount'   => (float) $order->get_total(),
			'currency' => $order->get_currency(),
		),
	);
	wp_print_inline_script_tag(
		'window.daybook = window.daybook || function () { (daybook.q = daybook.q || []).push(arguments) };'
		. 'daybook("order", ' . wp_json_encode( $details, JSON_HEX_TAG | JSON_HEX_AMP ) . ');'
	);
}
