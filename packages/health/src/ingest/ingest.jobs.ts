import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Ingest } from './ingest.service.ts'

/** Publishes, every minute, what a crash left unpublished. */
export function ingestJobs({ ingest }: { ingest: Ingest }): JobDefinitions {
  return {
    handlers: { recover_publications: (_payload, signal) => ingest.recover({ signal }) },
    schedule: '* * * * * recover_publications',
  }
}
