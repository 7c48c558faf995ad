import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestTimes } from './plan.ts'

const PATH = join(import.meta.dirname, 'times.json')

/** Times that differ less are left as they are, so that a change of the file says something. */
const WORTH = { seconds: 1, ratio: 1.5 }

/** Reads how long the test files took when they were measured. */
export function readTimes(): TestTimes {
  return existsSync(PATH) ? JSON.parse(readFileSync(PATH, 'utf8')) : {}
}

/** Stores how long files took, and removes the times of those that are gone. */
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

/** What a run prints of each file. */
const LINE = /^ *(\d+\.\d) s {2}(\S+\.test\.ts)$/gm

/** Reads how long files took from what a run printed, such as the log of a hosted one. */
export function timesOf(output: string): TestTimes {
  const lines = [...output.matchAll(LINE)]
  return Object.fromEntries(lines.map(([, seconds, file = '']) => [file, Number(seconds)]))
}

function isOtherTime(known: number, seconds: number): boolean {
  const [less = 0, more = 0] = [known, seconds].sort((a, b) => a - b)
  return more - less >= WORTH.seconds && more >= less * WORTH.ratio
}
