"""Sets up the integration rest of Home Assistant with a folder of settings, and prints the state of an entity."""
import asyncio
import json
import sys

from homeassistant import bootstrap, config, core, loader
from homeassistant.config_entries import ConfigEntries
from homeassistant.setup import async_setup_component


async def main(folder, entity):
    hass = core.HomeAssistant(folder)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    settings = await config.async_hass_config_yaml(hass)
    assert await async_setup_component(hass, "rest", settings), "the settings are refused"
    await hass.async_block_till_done()
    state = hass.states.get(entity)
    print(json.dumps([state.state, dict(state.attributes)]), flush=True)
    await hass.async_stop(force=True)


asyncio.run(main(*sys.argv[1:]))
