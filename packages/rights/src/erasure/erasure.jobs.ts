import { listErasableUsers } from '@salus/accounts/users'
import { isShardDown } from '@salus/kernel/errors'
import { handleJob, type JobDefinitions, removeEmptyQueues } from '@salus/kernel/jobs/jobs'
import type { Logger } from '@salus/kernel/log'
import type pg from 'pg'
import { type ErasureStores, erasePerson } from './erase-person.service.ts'
import { ERASE_PERSON } from './erasure.service.ts'

interface ErasureJobStores extends ErasureStores {
  pool: pg.Pool
  log: Logger
}

/** Erases users on request, and once an hour those whose week after a delete is over. */
export function erasureJobs(stores: ErasureJobStores): JobDefinitions {
  return {
    handlers: {
      ...handleJob(ERASE_PERSON, (person) => erasePerson(stores, person)),
      erase_deleted_users: (_payload, signal) => eraseDeletedUsers(stores, signal),
    },
    schedule: '23 * * * * erase_deleted_users',
  }
}

/** Users under a hold are left out, and are erased after its release. */
export async function eraseDeletedUsers(
  stores: ErasureJobStores,
  signal: AbortSignal,
): Promise<void> {
  const { db, pool, clock, log } = stores
  const users = await listErasableUsers({ db, clock })
  for (const { environment_id: environmentId, id } of users) {
    if (signal.aborted) return
    try {
      await erasePerson(stores, { environmentId, userId: id })
    } catch (error) {
      // Users of other shards need not wait until this one is back.
      if (!isShardDown(error)) throw error
    }
  }
  if (users.length === 0) return
  await removeEmptyQueues(pool, log)
  log.info({ users: users.length }, 'erased deleted users')
}
