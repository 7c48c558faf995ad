import { addJob } from '@salus/kernel/jobs/jobs'
import type { TransactionScope } from '@salus/kernel/scope'
import { reserveSlots } from '../access/budgets.global.repository.ts'
import { PLAN_PULLS } from './plan-connection.service.ts'

/**
 * Users whose history begins at a time
 * (docs/contract/03-link.md#post-v2linkbulk_trigger_historical_pull).
 */
interface Pacing {
  people: number
  seconds: number
}

const PACING: Readonly<Record<string, Pacing>> = {
  garmin: { people: 2, seconds: 60 },
  fitbit: { people: 250, seconds: 60 },
  polar: { people: 250, seconds: 60 },
  strava: { people: 1, seconds: 15 * 60 },
  oura: { people: 150, seconds: 5 * 60 },
}
const OTHERS: Pacing = { people: 8, seconds: 60 }

/**
 * Has the whole history of users' connections to a provider pulled again, some at a time;
 * concurrent calls for the same environment and provider count too. Users without a connection are
 * skipped.
 */
export async function triggerHistory(
  tx: TransactionScope,
  userIds: readonly string[],
  provider: string,
): Promise<void> {
  if (userIds.length === 0) return
  const { id: environmentId } = tx.environment
  const { people, seconds } = PACING[provider] ?? OTHERS
  const now = tx.clock.now()
  const lastsSeconds = Math.ceil(userIds.length / people) * seconds
  const bucket = `history ${environmentId} ${provider}`
  const begin = await reserveSlots(tx.db, bucket, { now, lastsSeconds })
  for (const [index, userId] of userIds.entries()) {
    const waitMs = Math.floor(index / people) * seconds * 1000
    const runAt = new Date(begin.getTime() + waitMs)
    const job = { environmentId, userId, provider, isTriggered: true }
    await addJob(tx.db, PLAN_PULLS, job, { runAt })
  }
}
