/** What a piece of work did to everything else in its process. */
export interface Stalls {
  /** Longest time between two turns of the event loop, by the real time. */
  longestMs: number
  /** The same in processor time of this thread, which does not grow when the machine is busy. */
  longestCpuMs: number
}

const LOOK_MS = 2

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Does work in this process and measures how long it held the event loop without a break. Processor
 * time is what counts: tests share their processors with others, and being put off is no stall.
 */
export async function watchStalls(work: () => Promise<unknown>): Promise<Stalls> {
  const stalls: Stalls = { longestMs: 0, longestCpuMs: 0 }
  let last = { wall: performance.now(), cpu: cpuMs() }
  const look = (): void => {
    const now = { wall: performance.now(), cpu: cpuMs() }
    stalls.longestMs = Math.max(stalls.longestMs, now.wall - last.wall)
    stalls.longestCpuMs = Math.max(stalls.longestCpuMs, now.cpu - last.cpu)
    last = now
  }
  const timer = setInterval(look, LOOK_MS)
  await work()
  look()
  clearInterval(timer)
  return stalls
}
