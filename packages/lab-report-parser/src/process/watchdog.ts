import { workerData } from 'node:worker_threads'

// A thread beside the one that reads: it goes on when that one hangs in an engine. The memory of the whole process
// counts, because the engines take theirs outside of the heap of JavaScript.

const { memoryMb, parent } = workerData as { memoryMb: number; parent: number }
const CHECK_EVERY_MS = 50

setInterval(() => {
  const isTooBig = process.memoryUsage.rss() > memoryMb * 1024 * 1024
  const isOrphan = process.ppid !== parent
  if (isTooBig || isOrphan) process.kill(process.pid, 'SIGKILL')
}, CHECK_EVERY_MS)
