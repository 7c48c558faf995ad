import { Counter, Gauge, type Registry } from 'prom-client'

/** A pause from this length counts as a stall: no request may keep the others waiting longer. */
const STALL_MS = 100
const LOOK_MS = 20

/**
 * Measures how long the process keeps requests waiting because it is busy. Stalls are counted, and
 * the longest one since the metrics were last read is reported. It stops nothing and keeps no
 * process alive.
 */
export function watchEventLoop(registry: Registry): void {
  const stalls = new Counter({
    name: 'salus_event_loop_stalls_total',
    help: 'Number of times that all requests waited for 100 ms or longer because the process was busy.',
    registers: [registry],
  })
  let longestMs = 0
  new Gauge({
    name: 'salus_event_loop_longest_stall_seconds',
    help: 'Longest wait of all requests for the busy process since the metrics were last read.',
    registers: [registry],
    collect() {
      this.set(longestMs / 1000)
      longestMs = 0
    },
  })
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    const late = now - last - LOOK_MS
    last = now
    if (late > longestMs) longestMs = late
    if (late >= STALL_MS) stalls.inc()
  }, LOOK_MS).unref()
}
