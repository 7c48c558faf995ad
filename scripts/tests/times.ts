import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestTimes } from './plan.ts'
import type { Totals } from './totals.ts'

const PATH = join(import.meta.dirname, 'times.json')

/** Times that differ less are left as they are, so that a change of the file says something. */
const WORTH = { seconds: 1, ratio: 1.5 }

/** Reads how long the test files took when they were measured. */
export function readTimes(): TestTimes {
  return existsSync(PATH) ? JSON.parse(readFileSync(PATH, 'utf8')) : {}
}

/** Stores the times of a run, and removes those of files that are gone. */
export function updateTimes(totals: Totals): void {
  const times = { ...readTimes() }
  for (const [file, { wallMs }] of totals.results) {
    const seconds = Math.round(wallMs / 100) / 10
    const known = times[file]
    if (known === undefined || isOtherTime(known, seconds)) times[file] = seconds
  }
  const kept = Object.entries(times).filter(([file]) => existsSync(file))
  const sorted = Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(PATH, `${JSON.stringify(sorted, null, 2)}\n`)
}

function isOtherTime(known: number, seconds: number): boolean {
  const [less = 0, more = 0] = [known, seconds].sort((a, b) => a - b)
  return more - less >= WORTH.seconds && more >= less * WORTH.ratio
}
