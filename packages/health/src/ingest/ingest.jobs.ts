import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Ingest } from './ingest.service.ts'

/** Looks every minute for what was stored and, because of a crash, never published. */
export function ingestJobs({ ingest }: { ingest: Ingest }): JobDefinitions {
  return {
    handlers: { recover_publications: (_payload, signal) => ingest.recover({ signal }) },
    schedule: '* * * * * recover_publications',
  }
}
