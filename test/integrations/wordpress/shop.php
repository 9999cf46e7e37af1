<?php
/**
 * Stands for WooCommerce, which is no package of a registry: the functions and the hook that the plugin uses. An order is
 * a post. `/?order=7` is the thank-you page of order 7.
 */
class Shop_Order
{
    public function __construct(private int $id, private array $changes = []) {}
    public function get_total(): string { return get_post_meta($this->id, 'total', true); }
    public function get_currency(): string { return get_post_meta($this->id, 'currency', true); }
    public function has_status(array $among): bool { return in_array(get_post_meta($this->id, 'status', true), $among, true); }
    public function get_meta(string $key): mixed { return get_post_meta($this->id, $key, true); }
    public function update_meta_data(string $key, mixed $value): void { $this->changes[$key] = $value; }
    public function save_meta_data(): void
    {
        foreach ($this->changes as $key => $value) {
            update_post_meta($this->id, $key, $value);
        }
    }
}

function wc_get_order($id)
{
    return get_post($id) ? new Shop_Order((int) $id) : false;
}

add_action('wp_footer', function (): void {
    if (isset($_GET['order'])) {
        do_action('woocommerce_thankyou', (int) $_GET['order']);
    }
});
