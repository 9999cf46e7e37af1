-- What wrk sends: pageviews of 5,000 pages by 200,000 visitors, one in eight with a source, skewed as on a real site.
-- The Connection header is that of CONNECTION, if it is set.
local agents = {
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
}

function init()
  math.randomseed(42)
end

function request()
  local r = math.random()
  local page = math.floor(5000 * r * r * r)
  local visitor = math.random(200000)
  local body = '{"site":"example.com","url":"https://example.com/articles/' .. page .. '"'
  if math.random(8) == 1 then body = body .. ',"referrer":"https://source' .. math.random(300) .. '.example/x"' end
  return wrk.format("POST", "/day", {
    ["Content-Type"] = "text/plain",
    ["Accept-Language"] = "en",
    ["Connection"] = os.getenv("CONNECTION"),
    ["User-Agent"] = agents[visitor % 4 + 1],
    ["X-Forwarded-For"] = "81." .. visitor % 200 .. "." .. math.floor(visitor / 200) % 250 .. "." .. math.floor(visitor / 50000) + 1,
  }, body .. "}")
end
