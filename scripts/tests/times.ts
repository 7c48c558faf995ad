import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestTimes } from './plan.ts'

const PATH = join(import.meta.dirname, 'times.json')

/** Smaller differences are not stored, so that a change of the file is significant. */
const WORTH = { seconds: 1, ratio: 1.5 }

/** Reads the measured times of the test files. */
export function readTimes(): TestTimes {
  return existsSync(PATH) ? JSON.parse(readFileSync(PATH, 'utf8')) : {}
}

/** Stores measured times, and removes those of deleted files. */
export function updateTimes(measured: TestTimes): void {
  const times = { ...readTimes() }
  for (const [file, seconds] of Object.entries(measured)) {
    const known = times[file]
    if (known === undefined || isOtherTime(known, seconds)) times[file] = seconds
  }
  const kept = Object.entries(times).filter(([file]) => existsSync(file))
  const sorted = Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(PATH, `${JSON.stringify(sorted, null, 2)}\n`)
}

/** Line that a run prints for each file. */
const LINE = /^ *(\d+\.\d) s {2}(\S+\.test\.ts)$/gm

/** Reads the times of the files from the output of a run, such as the log of a hosted one. */
export function timesOf(output: string): TestTimes {
  const lines = [...output.matchAll(LINE)]
  return Object.fromEntries(lines.map(([, seconds, file = '']) => [file, Number(seconds)]))
}

function isOtherTime(known: number, seconds: number): boolean {
  const [less = 0, more = 0] = [known, seconds].sort((a, b) => a - b)
  return more - less >= WORTH.seconds && more >= less * WORTH.ratio
}
