import type { JobStatus } from './lab-reports.schema.ts'

/** Transitions of a job and their triggers (docs/contract/16-lab-report-parsing.md#job-states). */
export const TRANSITIONS = {
  staged: { from: 'upload_pending', to: 'started', events: ['created'] },
  staging_failed: { from: 'upload_pending', to: 'failed', events: ['created', 'updated'] },
  parsed: { from: 'started', to: 'completed', events: ['updated'] },
  parsed_for_review: { from: 'started', to: 'pending_review', events: ['updated'] },
  given_up: { from: 'started', to: 'failed', events: ['updated'] },
  approved: { from: 'pending_review', to: 'completed', events: ['updated'] },
  rejected: { from: 'pending_review', to: 'failed', events: ['updated'] },
} as const satisfies Record<
  string,
  { from: JobStatus; to: JobStatus; events: readonly ('created' | 'updated')[] }
>

export type Trigger = keyof typeof TRANSITIONS
