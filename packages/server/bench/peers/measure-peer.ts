import { setTimeout as delay } from 'node:timers/promises'
import { secondsOf } from '../measure.ts'
import { processorSeconds } from '../vendor-process.ts'
import type { Peer } from './peer.ts'

const LOOK_MS = 500
/** Less of a core than this is no merge: an idle Salus takes up to a tenth for its schedules. */
const IDLE_SHARE = 0.15
const QUIET_LOOKS = 4
const MOST_LOOKS = 60

/** Waits until processes rest: no merge or compaction is left of what they were sent. */
export async function settle(processIds: readonly number[]): Promise<void> {
  let before = processorSeconds(processIds)
  let quiet = 0
  for (let look = 0; look < MOST_LOOKS && quiet < QUIET_LOOKS; look++) {
    await delay(LOOK_MS)
    const after = processorSeconds(processIds)
    quiet = after - before < IDLE_SHARE * (LOOK_MS / 1000) ? quiet + 1 : 0
    before = after
  }
}

/** What some calls took. */
export interface Measured {
  /** From the first call to the last answer. */
  seconds: number
  /** Of the processor, by the server and all that it started, until the last answer. */
  processor: number
  /** Of each call. */
  milliseconds: number[]
}

/** Runs calls, as many at once as said. */
export async function measureCalls(
  peer: Peer,
  concurrency: number,
  calls: readonly (() => Promise<unknown>)[],
): Promise<Measured> {
  const milliseconds: number[] = []
  const waiting = calls.values()
  const before = processorSeconds(peer.processIds())
  const seconds = await secondsOf(() =>
    Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (const call of waiting) milliseconds.push(1000 * (await secondsOf(call)))
      }),
    ),
  )
  return { seconds, processor: processorSeconds(peer.processIds()) - before, milliseconds }
}

/** Uploads and what follows them. */
export interface MeasuredUpload extends Measured {
  /** Of the processor, until the peer rests. */
  settled: number
}

/** Runs uploads by so many clients, and waits until the peer has merged what it wants to. */
export async function measureUpload(
  peer: Peer,
  clients: number,
  uploads: readonly (() => Promise<unknown>)[],
): Promise<MeasuredUpload> {
  const before = processorSeconds(peer.processIds())
  const measured = await measureCalls(peer, clients, uploads)
  await settle(peer.processIds())
  return { ...measured, settled: processorSeconds(peer.processIds()) - before }
}
