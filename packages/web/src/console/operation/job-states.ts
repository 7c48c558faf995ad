import type { Tone } from '../components/status-badge.tsx'
import type { Job } from './operation-queries.ts'

interface StateRow {
  title: string
  meaning: string
  tone: Tone
  /** Whether a person can have the job run again. */
  canRetry?: true
}

/** Every state of a job, in the order in which pages show them. */
export const JOB_STATES: Readonly<Record<Job['state'], StateRow>> = {
  failing: { title: 'Failing', meaning: 'will be retried', tone: 'warning', canRetry: true },
  given_up: { title: 'Given up', meaning: 'no more retries', tone: 'bad', canRetry: true },
  running: { title: 'Running', meaning: 'in progress', tone: 'info' },
  waiting: { title: 'Waiting', meaning: 'ready to run', tone: 'info' },
  scheduled: { title: 'Scheduled', meaning: 'at a set time', tone: 'neutral' },
}

export const JOB_STATE_LIST = (Object.keys(JOB_STATES) as Job['state'][]).map((key) => ({
  key,
  ...JOB_STATES[key],
}))
