import type { SourceRanking } from '../../source-priorities/index.ts'
import { type Divided, divideRecords, type Loss } from './divide-records.ts'
import { matchDays } from './match-days.ts'
import { ComparisonLimit } from './merge-limit.ts'
import type { MergedSession, SetAsideRecord } from './merged-session.ts'
import { createChoice } from './session-choice.ts'
import { isDayOnly, type SessionRecord, type SessionResource } from './session-record.ts'
import { lengthOf, type TimedRecord, timeRecords } from './session-times.ts'

/**
 * Merges the records of one person and resource, in any order: each session counts once, by the
 * record of the source that counts first. Every record is in the answer exactly once, as one that
 * counts or as one that was set aside (docs/merging.md#nights-and-workouts). Yields between steps
 * of work.
 * @throws AppError 400 `range_too_large` when very many records overlap each other
 */
export function* mergeSessions(
  resource: SessionResource,
  records: readonly SessionRecord[],
  ranking: SourceRanking,
): Generator<void, MergedSession[]> {
  const limit = new ComparisonLimit()
  const choice = createChoice(resource, ranking)
  const [days, times] = [records.filter(isDayOnly), records.filter((one) => !isDayOnly(one))]
  const timed = yield* timeRecords(times)
  const losses = new Map<TimedRecord, Loss>()
  const counting: TimedRecord[] = []
  for (const chain of chainsOf(timed)) {
    const divided: Divided = yield* divideRecords(resource, chain, choice, limit)
    counting.push(...divided.counting)
    for (const [lost, loss] of divided.losses) losses.set(lost, loss)
  }
  const sessions = new Map<SessionRecord, MergedSession>(
    counting.map(({ record }) => [record, { record, setAside: [] }]),
  )
  for (const [{ record }, loss] of losses) {
    const { wonBy, ...why } = loss
    const session = sessions.get(lastWinner(loss, losses).record)
    session?.setAside.push({ record, wonBy: wonBy.record, ...why })
  }
  yield* matchDays(resource, days, { choice, sessions, limit })
  for (const { setAside } of sessions.values()) {
    setAside.sort((a, b) => a.record.startedAt - b.record.startedAt || compareIds(a, b))
  }
  return [...sessions.values()]
}

const compareIds = (a: SetAsideRecord, b: SetAsideRecord): number =>
  a.record.id < b.record.id ? -1 : 1

/** Follows the winners to the one that counts. */
function lastWinner(loss: Loss, losses: ReadonlyMap<TimedRecord, Loss>): TimedRecord {
  let { wonBy } = loss
  for (let next = losses.get(wonBy); next !== undefined; next = losses.get(wonBy)) {
    wonBy = next.wonBy
  }
  return wonBy
}

/** Divides records into those that overlap each other directly or through others. */
function chainsOf(timed: readonly TimedRecord[]): TimedRecord[][] {
  const chains: TimedRecord[][] = []
  let reached = Number.NEGATIVE_INFINITY
  for (const one of timed.toSorted((a, b) => a.from - b.from)) {
    if (one.from >= reached) chains.push([])
    chains.at(-1)?.push(one)
    reached = Math.max(reached, one.from + lengthOf(one))
  }
  return chains
}
