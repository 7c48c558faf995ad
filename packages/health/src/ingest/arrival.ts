import type { UserRow } from '@salus/accounts/users'
import type { Scope } from '@salus/kernel/scope'
import type { NewDevice } from '../connections/index.ts'
import type { IngestionBounds } from './bounds.ts'
import type { HistoryChunk } from './history.service.ts'
import type { QuarantinedItem } from './quarantine.repository.ts'
import type { Sample, WriteCounts } from './sample.ts'

/** Source of data: user, provider, and the events that they raise. */
export interface ArrivalSource {
  scope: Scope
  user: Pick<UserRow, 'id' | 'client_user_id'> & IngestionBounds
  provider: string
  /** Public address of the deployment, for logos. */
  baseUrl: string
  /**
   * Whether each sample and summary has events. History has one event when it is complete; its data
   * only have events for a team that wants them
   * (docs/contract/08-webhooks-and-events.md#meaning-of-historical-and-daily).
   */
  isPublished: boolean
}

/**
 * Summaries as they arrive. Their domain is above this one and declares them by `declare module
 * '../../ingest/arrival.ts' { interface ArrivedSummaries … }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: health/summaries fills it by module augmentation
export interface ArrivedSummaries {}

/** Data that one source brings at once. Missing fields mean none. */
export interface ArrivedData extends ArrivedSummaries {
  samples?: readonly Sample[]
  /** Items that cannot be stored and are quarantined as they were received. */
  quarantined?: readonly QuarantinedItem[]
  /** Devices that the data name. */
  devices?: readonly NewDevice[]
  /** Progress of the history; without a range it is that of the data. */
  history?: readonly HistoryChunk[]
  /** Resource of which an attempt is counted even when nothing of it could be stored. */
  attempted?: string
}

/** Outcome of storing samples. */
export interface StoredSamples extends WriteCounts {
  /** Number outside the user's bounds, which are dropped. */
  outOfBounds: number
  /** Samples within the bounds. */
  kept: readonly Sample[]
}

/** Outcome of storing summaries; their domain adds the rest. */
export interface StoredSummaries extends WriteCounts {
  outOfBounds: number
  /** Times of the summaries within the bounds, where they have one. */
  times: readonly Pick<Sample, 'startedAt' | 'endedAt'>[]
}

export interface Stored {
  samples: StoredSamples
  summaries: StoredSummaries
}
