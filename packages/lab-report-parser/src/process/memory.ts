import { readSync } from 'node:fs'

const status = Buffer.alloc(4096)

/**
 * Returns the memory of this process, in bytes.
 * @param descriptor Descriptor of its /proc/PID/status, if it may not open that itself
 */
export function measureMemory(descriptor: number | undefined): number {
  if (descriptor === undefined) return process.memoryUsage.rss()
  const length = readSync(descriptor, status, 0, status.length, 0)
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status.toString('latin1', 0, length))?.[1]
  if (kilobytes === undefined) throw new Error('The system does not report the memory')
  return Number(kilobytes) * 1024
}
