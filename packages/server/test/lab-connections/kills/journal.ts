import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { isLast, reach } from './death.ts'

/** What the laboratory keeps on its disk, in the order of writing. */
export type Entry =
  /** A message that it took, and how it answers it, also when it comes again. */
  | {
      kind: 'message'
      controlId: string
      control: string
      placer: string
      tests: string[]
      pid: string[]
      raw: string
      code: string
    }
  /** A result that Salus accepted, by the id of the order's message. */
  | { kind: 'accepted'; controlId: string }
  /** What must not happen. */
  | { kind: 'wrong'; what: string }

/** Reads the entries of a journal; the last line of one that was killed may be half of one. */
export function readJournal(path: string): Entry[] {
  if (!existsSync(path)) return []
  const whole = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return whole.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Entry] : []))
}

/** A journal that is open for more entries. */
export interface Journal {
  entries: Entry[]
  /** Brings an entry to the disk; the step is where the process may die. */
  add(entry: Entry, step?: string): void
}

export function openJournal(path: string): Journal {
  const entries = readJournal(path)
  const file = openSync(path, 'a')
  process.once('exit', () => closeSync(file))
  // Ends the half of a line that a kill left.
  writeSync(file, '\n')
  return {
    entries,
    add(entry, step = 'other') {
      const line = `${JSON.stringify(entry)}\n`
      reach(step, 'before')
      if (isLast(step, 'half')) {
        writeSync(file, line.slice(0, line.length / 2))
        reach(step, 'half')
      }
      writeSync(file, line)
      fsyncSync(file)
      entries.push(entry)
      reach(step, 'after')
    },
  }
}
