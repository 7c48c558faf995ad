import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Where a process dies: at the nth time that it reaches a moment of a step. */
export interface Death {
  step: string
  moment: Moment
  nth: number
}

/** `sent` is between the request to another program and its answer; `half` is within the bytes. */
export type Moment = 'before' | 'half' | 'sent' | 'after'

let armed: (Death & { left: number }) | undefined

/**
 * Reads orders from the standard input, one JSON a line: `{ "death": … }` says where this process
 * dies next, in place of the place before, and other lines go to the process.
 */
export function readOrders(take: (order: { start: string }) => void): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { death, ...order } = JSON.parse(line)
    if (death !== undefined) armed = { ...death, left: death.nth }
    else take(order)
  })
}

/** Whether this process dies at the next moment of a step. */
export const isLast = (step: string, moment: Moment): boolean =>
  armed?.step === step && armed.moment === moment && armed.left === 1

/** Ends this process as `kill -9` does, if this is where it has to die. */
export function reach(step: string, moment: Moment): void {
  if (armed?.step !== step || armed.moment !== moment) return
  armed.left -= 1
  if (armed.left > 0) return
  report({ died: `${moment} ${step}` })
  process.kill(process.pid, 'SIGKILL')
}

/** Writes a line to the standard output before anything else happens. */
export function report(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}
