import { workerData } from 'node:worker_threads'
import { measureMemory } from './memory.ts'
import type { ProcessSettings } from './protocol.ts'

// A thread beside the reading one: it continues when that one hangs in an engine. The memory of the
// whole process counts, because engines allocate outside of the heap of JavaScript.

const { memoryMb, memoryDescriptor, parent } = workerData as ProcessSettings & { parent: number }
const CHECK_EVERY_MS = 50

setInterval(() => {
  const isTooBig = measureMemory(memoryDescriptor) > memoryMb * 1024 * 1024
  const isOrphan = process.ppid !== parent
  if (isTooBig || isOrphan) process.kill(process.pid, 'SIGKILL')
}, CHECK_EVERY_MS)
