import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import { applyRetention, type RetentionStores } from './apply-retention.service.ts'

/** Removes once a day the data that the rules of environments no longer keep. */
export function retentionJobs(stores: RetentionStores): JobDefinitions {
  return {
    handlers: { apply_retention: (_payload, signal) => applyRetention(stores, signal) },
    schedule: '13 4 * * * apply_retention',
  }
}
