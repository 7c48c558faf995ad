import { listErasableUsers } from '@salus/accounts/users'
import { isShardDown } from '@salus/kernel/errors'
import { handleJob, type JobDefinitions, removeEmptyQueues } from '@salus/kernel/jobs/jobs'
import type { Logger } from '@salus/kernel/log'
import type pg from 'pg'
import { erasePeople } from './erase-people.service.ts'
import type { ErasureStores, Person } from './erase-person.service.ts'
import { ERASE_PERSON, ERASURES } from './erasure.service.ts'

interface ErasureJobStores extends ErasureStores {
  pool: pg.Pool
  log: Logger
}

/**
 * Erases users on request, and once an hour those whose week after a delete is over. Jobs run one
 * after the other, and each erases all users who are due: while one rewrites the tables, others
 * gather for the next.
 */
export function erasureJobs(stores: ErasureJobStores): JobDefinitions {
  return {
    handlers: {
      ...handleJob(ERASE_PERSON, (person, signal) => eraseDueUsers(stores, person, signal)),
      erase_deleted_users: (_payload, signal) => eraseDeletedUsers(stores, signal),
    },
    schedule: `23 * * * * erase_deleted_users ?queue=${ERASURES}`,
  }
}

/** @throws Error when the person of the job was not erased */
async function eraseDueUsers(
  stores: ErasureJobStores,
  person: Person,
  signal: AbortSignal,
): Promise<void> {
  const due = await listDueUsers(stores)
  const others = due.filter(({ userId }) => userId !== person.userId)
  const failures = await erasePeople(stores, [person, ...others], signal)
  if (failures.has(person.userId)) throw failures.get(person.userId)
}

/**
 * Users under a hold are left out, and are erased after its release.
 * @throws Error when a user was not erased, except those of a shard that is down
 */
export async function eraseDeletedUsers(
  stores: ErasureJobStores,
  signal: AbortSignal,
): Promise<void> {
  const { pool, log } = stores
  const people = await listDueUsers(stores)
  if (people.length === 0) return
  const failures = await erasePeople(stores, people, signal)
  await removeEmptyQueues(pool, log)
  log.info({ users: people.length - failures.size }, 'erased deleted users')
  // The next run erases the others.
  if (signal.aborted) return
  for (const error of failures.values()) if (!isShardDown(error)) throw error
}

async function listDueUsers({ db, clock }: ErasureJobStores): Promise<Person[]> {
  const users = await listErasableUsers({ db, clock })
  return users.map(({ environment_id: environmentId, id: userId }) => ({ environmentId, userId }))
}
