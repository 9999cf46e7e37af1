<?php
/**
 * The page of the settings. WordPress' own options.php checks the nonce and the capability `manage_options`.
 *
 * Invariant: the stored token goes only to the server for which it was typed. The page only says that there is one.
 *
 * @package daybook
 */

defined( 'ABSPATH' ) || exit;

/** Returns the fields of the page: the name of the setting, its label and the function that prints it. */
function daybook_list_fields(): array {
	return array(
		'server'         => array( __( 'Server', 'daybook' ), 'daybook_print_server_field' ),
		'domain'         => array( __( 'Domain', 'daybook' ), 'daybook_print_domain_field' ),
		'token'          => array( __( 'Token', 'daybook' ), 'daybook_print_token_field' ),
		'share'          => array( __( 'Share link', 'daybook' ), 'daybook_print_share_field' ),
		'excluded_roles' => array( __( 'Do not count', 'daybook' ), 'daybook_print_roles_field' ),
		'address_header' => array( __( 'IP address of visitors', 'daybook' ), 'daybook_print_address_field' ),
		'options'        => array( __( 'What to count', 'daybook' ), 'daybook_print_switches' ),
	);
}

/** Returns the settings that are switched on or off, with their labels. */
function daybook_list_switches(): array {
	return array(
		'outbound'    => __( 'Count clicks on links to other websites', 'daybook' ),
		'downloads'   => __( 'Count clicks on links to files', 'daybook' ),
		'orders'      => __( 'Count orders of WooCommerce with their revenue', 'daybook' ),
		'crawls'      => __( 'Count AI crawlers. Switch this off if daybook reads the log of your web server', 'daybook' ),
		'respect_dnt' => __( 'Do not count browsers that send Do Not Track or Global Privacy Control', 'daybook' ),
	);
}

/** Tells WordPress about the option and the fields of the page. */
function daybook_register_settings(): void {
	register_setting(
		'daybook',
		'daybook',
		array(
			'type'              => 'array',
			'sanitize_callback' => 'daybook_sanitize_settings',
		)
	);
	add_settings_section( 'daybook', '', '__return_empty_string', 'daybook' );
	foreach ( daybook_list_fields() as $name => list( $label, $show ) ) {
		add_settings_field( $name, esc_html( $label ), $show, 'daybook', 'daybook', array( 'label_for' => "daybook-$name" ) );
	}
}

/**
 * Checks what the form has sent. A wrong field keeps its stored value and gets an error.
 *
 * @param mixed $typed The fields of the form.
 */
function daybook_sanitize_settings( $typed ): array {
	$stored = array_merge( daybook_default_settings(), (array) get_option( 'daybook', array() ) );
	$typed  = array_merge( array( 'excluded_roles' => array() ), (array) $typed );
	$clean  = array(
		'server'         => untrailingslashit( esc_url_raw( trim( (string) ( $typed['server'] ?? '' ) ), array( 'https', 'http' ) ) ),
		'domain'         => strtolower( trim( sanitize_text_field( (string) ( $typed['domain'] ?? '' ) ) ) ),
		'token'          => preg_replace( '/[^\x21-\x7e]/', '', (string) ( $typed['token'] ?? '' ) ),
		'share'          => esc_url_raw( trim( (string) ( $typed['share'] ?? '' ) ), array( 'https', 'http' ) ),
		'excluded_roles' => array_values( array_intersect( array_map( 'strval', (array) $typed['excluded_roles'] ), array_keys( wp_roles()->roles ) ) ),
		'address_header' => in_array( $typed['address_header'] ?? '', DAYBOOK_ADDRESS_HEADERS, true ) ? (string) ( $typed['address_header'] ?? '' ) : '',
	);
	$errors = array(
		'server' => __( 'Server: enter a URL that begins with https://, such as https://stats.example.com.', 'daybook' ),
		'share'  => __( 'Share link: enter the whole link from daybook, beginning with https://.', 'daybook' ),
		'domain' => __( 'Domain: enter a domain without https://, such as example.com.', 'daybook' ),
	);
	foreach ( $errors as $name => $error ) {
		$text    = trim( (string) ( $typed[ $name ] ?? '' ) );
		$pattern = 'domain' === $name ? '/^[\p{L}\p{N}.-]+$/u' : '~^(?:https?://.+)?$~i';
		if ( ! preg_match( $pattern, $text ) ) {
			$clean[ $name ] = $stored[ $name ];
			add_settings_error( 'daybook', "daybook-$name", $error );
		}
	}
	// An empty field keeps the stored token, because the page does not show it. A new server does not get it: a person
	// who cannot see the token must not learn it by a server of their own.
	if ( '' === $clean['token'] && $clean['server'] === $stored['server'] ) {
		$clean['token'] = $stored['token'];
	}
	foreach ( array_keys( daybook_list_switches() ) as $name ) {
		$clean[ $name ] = ! empty( $typed[ $name ] );
	}
	return $clean;
}

/** Fetches the script and tries the token with an empty list, after the settings were saved. */
function daybook_check_connection(): void {
	$settings = daybook_settings();
	delete_option( 'daybook_failure' );
	delete_option( 'daybook_script' );
	if ( ! daybook_is_ready( $settings ) ) {
		return;
	}
	daybook_route();
	daybook_fetch_script( $settings );
	$url = daybook_server_urls( $settings )['base'] . '/api/v1/sites/' . rawurlencode( $settings['domain'] ) . '/crawls';
	daybook_post( $settings, $url, '[]', array( 'Content-Type' => 'application/json' ), 'daybook for WordPress' );
}

/** Returns a sentence about the state of the connection, and whether it is good. */
function daybook_describe_state( array $settings ): array {
	$failure = get_option( 'daybook_failure' );
	if ( ! daybook_is_ready( $settings ) ) {
		return array( 'warning', __( 'Nothing is counted yet. Enter the server, the domain and a token.', 'daybook' ) );
	}
	if ( ! $failure && ! get_option( 'daybook_script' ) ) {
		return array( 'error', __( 'The server has no script at this URL. Check the URL of the server.', 'daybook' ) );
	}
	if ( ! $failure ) {
		return array( 'success', __( 'Connected. Visits are counted.', 'daybook' ) );
	}
	switch ( $failure['status'] ) {
		case 401:
			return array( 'error', __( 'daybook does not know this token. Create a new one with the permission "collect".', 'daybook' ) );
		case 403:
			return array( 'error', __( 'This token cannot count for this domain. It needs the permission "collect", and its owner must manage the site.', 'daybook' ) );
		case 404:
			return array( 'error', __( 'daybook has no site with this domain that the owner of the token can see.', 'daybook' ) );
		case 0:
			/* translators: %s: an error message in English. */
			return array( 'error', sprintf( __( 'The server does not answer: %s', 'daybook' ), $failure['detail'] ) );
		default:
			/* translators: %d: a status of HTTP, such as 500. */
			return array( 'error', sprintf( __( 'The server answers with status %d.', 'daybook' ), $failure['status'] ) );
	}
}

/** Shows the page. */
function daybook_show_settings(): void {
	if ( ! current_user_can( 'manage_options' ) ) {
		return;
	}
	list( $kind, $state ) = daybook_describe_state( daybook_settings() );
	echo '<div class="wrap"><h1>daybook</h1>';
	printf( '<div class="notice notice-%s inline"><p>%s</p></div>', esc_attr( $kind ), esc_html( $state ) );
	if ( daybook_has_old_file() ) {
		printf( '<div class="notice notice-warning inline"><p>%s</p></div>', esc_html__( 'The file daybook-crawls.php already counts AI crawlers, so the plugin does not. Remove the file to use the plugin instead.', 'daybook' ) );
	}
	echo '<form action="options.php" method="post">';
	settings_fields( 'daybook' );
	do_settings_sections( 'daybook' );
	submit_button();
	echo '</form></div>';
}

/** Prints a text field and the help below it. `$more` has further attributes. */
function daybook_print_text( string $name, string $value, string $help, array $more = array() ): void {
	$attributes = '';
	foreach ( $more + array( 'type' => 'text' ) as $attribute => $text ) {
		$attributes .= sprintf( ' %s="%s"', esc_attr( $attribute ), esc_attr( $text ) );
	}
	// Each attribute was escaped above.
	// phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped
	printf( '<input class="regular-text" id="daybook-%1$s" name="daybook[%1$s]" value="%2$s"%3$s>', esc_attr( $name ), esc_attr( $value ), $attributes );
	printf( '<p class="description">%s</p>', esc_html( $help ) );
}

/** Prints the field for the server. */
function daybook_print_server_field(): void {
	$more = array(
		'type'        => 'url',
		'placeholder' => 'https://stats.example.com',
	);
	$help = __( 'The URL of your daybook server. If its script has another name than day.js, enter the URL of the script.', 'daybook' );
	daybook_print_text( 'server', daybook_settings()['server'], $help, $more + ( defined( 'DAYBOOK_SERVER' ) ? array( 'readonly' => 'readonly' ) : array() ) );
}

/** Prints the field for the domain. */
function daybook_print_domain_field(): void {
	daybook_print_text( 'domain', daybook_settings()['domain'], __( 'The domain of the site in daybook.', 'daybook' ) );
}

/** Prints the field for the token, without the token. */
function daybook_print_token_field(): void {
	$more = array(
		'type'         => 'password',
		'autocomplete' => 'new-password',
	);
	if ( defined( 'DAYBOOK_TOKEN' ) ) {
		$help             = __( 'wp-config.php sets the token.', 'daybook' );
		$more['disabled'] = 'disabled';
	} elseif ( '' !== daybook_settings()['token'] ) {
		$help = __( 'A token is stored. Leave the field empty to keep it.', 'daybook' );
	} else {
		$help = __( 'A token with the permission "collect". In daybook, you create it under Account, Tokens.', 'daybook' );
	}
	daybook_print_text( 'token', '', $help, $more );
}

/** Prints the field for the share link, and the origin that the link must allow. */
function daybook_print_share_field(): void {
	$admin  = wp_parse_url( admin_url() );
	$origin = $admin['scheme'] . '://' . $admin['host'] . ( isset( $admin['port'] ) ? ':' . $admin['port'] : '' );
	/* translators: %s: a URL, such as https://www.example.com. */
	$help = sprintf( __( 'Optional. Shows the reports here in WordPress. In daybook, under Sharing, allow the website %s to embed them.', 'daybook' ), $origin );
	daybook_print_text( 'share', daybook_settings()['share'], $help, array( 'type' => 'url' ) );
}

/** Prints a checkbox for each role. */
function daybook_print_roles_field(): void {
	$excluded = daybook_settings()['excluded_roles'];
	echo '<fieldset id="daybook-excluded_roles">';
	foreach ( wp_roles()->get_names() as $role => $label ) {
		printf(
			'<label><input type="checkbox" name="daybook[excluded_roles][]" value="%s"%s> %s</label><br>',
			esc_attr( $role ),
			checked( in_array( $role, $excluded, true ), true, false ),
			esc_html( translate_user_role( $label ) )
		);
	}
	printf( '</fieldset><p class="description">%s</p>', esc_html__( 'Signed-in members of these roles are not counted.', 'daybook' ) );
}

/** Prints the choice of the header with the visitor's IP address. */
function daybook_print_address_field(): void {
	$chosen = daybook_settings()['address_header'];
	echo '<select id="daybook-address_header" name="daybook[address_header]">';
	foreach ( DAYBOOK_ADDRESS_HEADERS as $header ) {
		/* translators: %s: the name of a header of HTTP, such as X-Real-IP. */
		$label = '' === $header ? __( 'From the connection', 'daybook' ) : sprintf( __( 'From the header %s', 'daybook' ), $header );
		printf( '<option value="%s"%s>%s</option>', esc_attr( $header ), selected( $chosen, $header, false ), esc_html( $label ) );
	}
	printf( '</select><p class="description">%s</p>', esc_html__( 'Choose a header only if a proxy, such as Cloudflare, always sets it. Otherwise visitors can make up their IP address.', 'daybook' ) );
}

/** Prints the settings that are switched on or off. */
function daybook_print_switches(): void {
	$settings = daybook_settings();
	echo '<fieldset id="daybook-options">';
	foreach ( daybook_list_switches() as $name => $label ) {
		printf( '<label><input type="checkbox" name="daybook[%s]" value="1"%s> %s</label><br>', esc_attr( $name ), checked( $settings[ $name ], true, false ), esc_html( $label ) );
	}
	echo '</fieldset>';
}

/**
 * Adds a link to the settings in the list of plugins.
 *
 * @param array $links The links of the plugin.
 */
function daybook_add_settings_link( array $links ): array {
	$link = sprintf( '<a href="%s">%s</a>', esc_url( admin_url( 'options-general.php?page=daybook' ) ), esc_html__( 'Settings', 'daybook' ) );
	return array_merge( array( $link ), $links );
}

/** Suggests a paragraph for the website's privacy policy. */
function daybook_suggest_privacy_policy(): void {
	$text = __( 'This website counts visits with daybook, on a server of its own. daybook uses no cookies and stores no IP addresses. It cannot recognise a visitor on another day.', 'daybook' );
	wp_add_privacy_policy_content( 'daybook', wp_kses_post( wpautop( $text ) ) );
}
