import { Socket } from 'node:net'
import pg from 'pg'
import { isLast, type Moment, reach } from './death.ts'
import { FRAMES, STATEMENTS, stepsOf } from './steps.ts'

/** Notices every statement and every frame of this process, and dies at one when it has to. */
export function watchSteps(): void {
  watchStatements()
  watchFrames()
}

type Query = (this: pg.Client, ...request: unknown[]) => unknown

function watchStatements(): void {
  const { query } = pg.Client.prototype as unknown as { query: Query }
  const watched: Query = function (...request) {
    const steps = stepsOf(textOf(request), STATEMENTS)
    const reachAll = (moment: Moment): void => {
      for (const step of steps) reach(step, moment)
    }
    reachAll('before')
    const outcome = query.apply(this, request)
    // By then the statement has left this process, and its answer has not come.
    setImmediate(() => reachAll('sent'))
    if (!(outcome instanceof Promise)) return outcome
    return outcome.then((result) => {
      reachAll('after')
      return result
    })
  }
  Object.assign(pg.Client.prototype, { query: watched })
}

/** A statement with its parameters that are texts. */
function textOf([statement, parameters]: unknown[]): string {
  const { text, values } = statement as { text?: string; values?: unknown[] }
  const given = values ?? (Array.isArray(parameters) ? parameters : [])
  const texts = given.filter((value) => typeof value === 'string')
  return [text ?? statement, ...texts].join('\n')
}

type Write = (this: Socket, ...content: unknown[]) => boolean

/** A frame of MLLP begins with a vertical tab. */
const START = 0x0b

function watchFrames(): void {
  const { write } = Socket.prototype as unknown as { write: Write }
  const watched: Write = function (...content) {
    const [bytes] = content
    if (!Buffer.isBuffer(bytes) || bytes[0] !== START) return write.apply(this, content)
    const lines = bytes.toString('latin1').replaceAll('\r', '\n')
    const [step] = stepsOf(lines, FRAMES)
    if (step === undefined) return write.apply(this, content)
    reach(step, 'before')
    const isHalf = isLast(step, 'half')
    const part = isHalf ? bytes.subarray(0, bytes.length / 2) : bytes
    return write.call(this, part, () => reach(step, isHalf ? 'half' : 'after'))
  }
  Object.assign(Socket.prototype, { write: watched })
}
