-- Sends one request per numbered object. Arguments: METHOD PATH BODY_FILE|- COUNT again|once CONTENT_TYPE
-- In path and body, # is replaced by the number of the object, @ by the number of the request and ~ by the last digit of
-- the object's number, with the same width. After COUNT objects the walk starts again, or ("once") stops and prints
-- EXHAUSTED, because wrk itself would run until its time is over.
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
local parts, placeholders = {}, {}
local count, once, started
local is_trial = true

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

-- Splits the text at its placeholders and records the format of each.
local function split(text)
  local from = 1
  while true do
    local first, last = text:find("[#@~]+", from)
    if not first then break end
    parts[#parts + 1] = text:sub(from, first - 1)
    parts[#parts + 1] = ""
    placeholders[#placeholders + 1] = {
      index = #parts, kind = text:sub(first, first), format = "%0" .. (last - first + 1) .. "d",
    }
    from = last + 1
  end
  parts[#parts + 1] = text:sub(from)
end

function init(args)
  local method, path, body = args[1], args[2], nil
  if args[3] ~= "-" then
    body = read(args[3])
    wrk.headers["Content-Type"] = args[6]
  end
  count, once = tonumber(args[4]), args[5] == "once"
  split(wrk.format(method, path, nil, body))
end

function request()
  local number = issued % count
  if is_trial then
    is_trial = false -- wrk asks for one request before the run and does not send it
  else
    if issued == 0 then started = now() end
    issued = issued + 1
    if once and issued == count then
      elapsed = now() - started
      print("EXHAUSTED")
      io.flush()
      wrk.thread:stop()
    end
  end
  for _, placeholder in ipairs(placeholders) do
    local value = number
    if placeholder.kind == "@" then value = issued elseif placeholder.kind == "~" then value = number % 10 end
    parts[placeholder.index] = string.format(placeholder.format, value)
  end
  return table.concat(parts)
end
