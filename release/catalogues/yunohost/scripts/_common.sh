#!/bin/bash

# Writes what install and upgrade both write: the rights of the program, and the settings of nginx and systemd.
configure_daybook() {
    chmod 755 "$install_dir/daybook"
    chown -R root:root "$install_dir"
    chown -R "$app:$app" "$data_dir"
    chmod 700 "$data_dir"
    ynh_config_add_nginx
    ynh_config_add_systemd
    yunohost service add "$app" --description="@summary@"
}
