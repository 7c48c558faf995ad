import { eraseSamples } from '@salus/health/ingest'
import { eraseSummaries } from '@salus/health/summaries'
import { isShardDown } from '@salus/kernel/errors'
import { eraseContentsOfPeople } from '@salus/lab/inbox'
import {
  beginErasure,
  type ErasureStores,
  finishErasure,
  type Person,
} from './erase-person.service.ts'

/**
 * Erases deleted users from all stores, and signs for each the list of removed data. ClickHouse
 * comes first, once for all of them, because an erasure rewrites its tables; then the files, and
 * the rows of PostgreSQL last, in the transaction that stores the receipt, so that an interrupted
 * erasure is resumed and never forgotten. Users under a hold, and those who no longer exist, are
 * left out. The failure of one user does not stop the others.
 * @returns the errors by the ids of users who were not erased, also because the signal aborted
 */
export async function erasePeople(
  stores: ErasureStores,
  people: readonly Person[],
  signal: AbortSignal,
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>()
  /** Returns those for whom the step answers true. */
  const each: Step = async (some, step) => {
    const passed: Person[] = []
    for (const person of some) {
      try {
        signal.throwIfAborted()
        if (await step(person)) passed.push(person)
      } catch (error) {
        failures.set(person.userId, error)
      }
    }
    return passed
  }
  const begun = await each(people, (person) => beginErasure(stores, person))
  const gone = await eraseRows(stores, begun, each)
  await each(gone, (person) => finishErasure(stores, person).then(() => false))
  return failures
}

type Step = (
  people: readonly Person[],
  step: (person: Person) => Promise<boolean>,
) => Promise<readonly Person[]>

/** Returns the people whose rows are gone. */
async function eraseRows(
  { clickhouse, eventRemoval }: ErasureStores,
  people: readonly Person[],
  each: Step,
): Promise<readonly Person[]> {
  const erase = async (some: readonly Person[]): Promise<boolean> => {
    await eraseSamples(clickhouse, some)
    await eraseSummaries(clickhouse, some)
    await eventRemoval.deleteMovedOfPeople(some)
    await eraseContentsOfPeople(clickhouse, some)
    return true
  }
  const oneByOne = () => each(people, (person) => erase([person]))
  if (people.length < 2) return oneByOne()
  try {
    await erase(people)
    return people
  } catch (error) {
    // Users of other shards need not wait until this one is back.
    if (isShardDown(error)) return oneByOne()
    throw error
  }
}
