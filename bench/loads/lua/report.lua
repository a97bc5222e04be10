-- Prints the summary of wrk as one line for wrk.ts. It is the script of a load that repeats one request; walk.lua
-- extends it.
local threads = {}

function setup(thread)
  threads[#threads + 1] = thread
end

function done(summary, latency)
  local thread = threads[1]
  local errors = summary.errors
  io.write(string.format(
    'BENCH {"requests":%d,"microseconds":%d,"bytes":%d,"errorStatuses":%d,"socketErrors":%d,"p50":%d,"p99":%d,"issued":%d}\n',
    summary.requests, thread:get("elapsed") or summary.duration, summary.bytes,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99), thread:get("issued") or 0))
end
