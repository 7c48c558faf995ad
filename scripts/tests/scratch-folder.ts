import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** Free space of the file system and of memory; files of 0.9 GB at a time were seen. */
const LEAST_FREE_BYTES = 8 * 1024 ** 3

/**
 * Returns the folder for stores of tests: in memory if there is plenty, else on the disk. A killed
 * process leaves the same behind on both, and hundreds of databases that live for seconds need no
 * disk.
 */
export function findScratchFolder(): string {
  return hasRoomInMemory() ? MEMORY : tmpdir()
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    const mount = readFileSync('/proc/mounts', 'utf8').split('\n')
    const [, , type, options = ''] =
      mount.map((line) => line.split(' ')).find(([, folder]) => folder === MEMORY) ?? []
    // Tests run programs that are stored there.
    const runs = !options.split(',').includes('noexec')
    return (
      type === 'tmpfs' &&
      runs &&
      Math.min(bavail * bsize, process.availableMemory()) >= LEAST_FREE_BYTES
    )
  } catch {
    return false
  }
}
