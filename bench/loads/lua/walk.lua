-- One request per numbered name. Arguments: METHOD PATH BODY_FILE|- COUNT again|once CONTENT_TYPE
-- In path and body a run of # stands for the number, of @ for the count of the request and ~ for the
-- number's last digit; what replaces them has the same width. After COUNT names the walk begins again,
-- or ends the run ("once") and says so, because wrk itself would wait until its time is over.
require "report"
local ffi = require "ffi"
ffi.cdef [[
  typedef struct { long seconds; long microseconds; } walk_time;
  int gettimeofday(walk_time *now, void *zone);
]]

local function now()
  local time = ffi.new("walk_time")
  ffi.C.gettimeofday(time, nil)
  return tonumber(time.seconds) * 1e6 + tonumber(time.microseconds)
end

issued = 0
local pieces, fills = {}, {}
local count, once, began
local trial = true

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

-- Cuts the text at its placeholders and remembers for each how it is filled.
local function cut(text)
  local from = 1
  while true do
    local first, last = text:find("[#@~]+", from)
    if not first then break end
    pieces[#pieces + 1] = text:sub(from, first - 1)
    pieces[#pieces + 1] = ""
    fills[#fills + 1] = {
      at = #pieces, kind = text:sub(first, first), format = "%0" .. (last - first + 1) .. "d",
    }
    from = last + 1
  end
  pieces[#pieces + 1] = text:sub(from)
end

function init(args)
  local method, path, body = args[1], args[2], nil
  if args[3] ~= "-" then
    body = read(args[3])
    wrk.headers["Content-Type"] = args[6]
  end
  count, once = tonumber(args[4]), args[5] == "once"
  cut(wrk.format(method, path, nil, body))
end

function request()
  local number = issued % count
  if trial then
    trial = false -- wrk asks for one request before the run and does not send it
  else
    if issued == 0 then began = now() end
    issued = issued + 1
    if once and issued == count then
      elapsed = now() - began
      print("EXHAUSTED")
      io.flush()
      wrk.thread:stop()
    end
  end
  for _, fill in ipairs(fills) do
    local value = number
    if fill.kind == "@" then value = issued elseif fill.kind == "~" then value = number % 10 end
    pieces[fill.at] = string.format(fill.format, value)
  end
  return table.concat(pieces)
end
