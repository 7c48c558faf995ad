import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import { applyRetention, type RetentionStores } from './apply-retention.service.ts'

/** Once a day removes what environments do not want to keep any longer. */
export function retentionJobs(stores: RetentionStores): JobDefinitions {
  return {
    handlers: { apply_retention: (_payload, signal) => applyRetention(stores, signal) },
    schedule: '13 4 * * * apply_retention',
  }
}
