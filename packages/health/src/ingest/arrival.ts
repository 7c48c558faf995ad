import type { UserRow } from '@salus/accounts/users'
import type { Scope } from '@salus/kernel/scope'
import type { NewDevice } from '../connections/index.ts'
import type { IngestionBounds } from './bounds.ts'
import type { HistoryChunk } from './history.service.ts'
import type { QuarantinedItem } from './quarantine.repository.ts'
import type { Sample, WriteCounts } from './sample.ts'

/** Where data come from: of whom, by which provider, and who is told of them. */
export interface ArrivalSource {
  scope: Scope
  user: Pick<UserRow, 'id' | 'client_user_id'> & IngestionBounds
  provider: string
  /** Public address of the deployment, for logos. */
  baseUrl: string
  /**
   * Whether events tell of each sample and summary. History is told by one event when all of it is
   * there; its data have events only for a team that wants them
   * (docs/contract/08-webhooks-and-events.md#meaning-of-historical-and-daily).
   */
  isPublished: boolean
}

/**
 * Summaries as they arrive. Their domain stands above this one and says what they are, by
 * `declare module '../../ingest/arrival.ts' { interface ArrivedSummaries … }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: health/summaries fills it by module augmentation
export interface ArrivedSummaries {}

/** What one source brings at once. All that is not given is nothing. */
export interface ArrivedData extends ArrivedSummaries {
  samples?: readonly Sample[]
  /** Items that cannot be stored, to be kept as they came. */
  quarantined?: readonly QuarantinedItem[]
  /** Devices that the data name. */
  devices?: readonly NewDevice[]
  /** How far the history has come with it; a range that is not known is that of the data. */
  history?: readonly HistoryChunk[]
  /** Resource of which an attempt is counted also when nothing of it could be stored. */
  attempted?: string
}

/** What became of what arrived. */
export interface StoredSamples extends WriteCounts {
  /** Outside the person's bounds, and dropped. */
  outOfBounds: number
  /** Within them. */
  kept: readonly Sample[]
}

/** The same of summaries; their domain adds the rest. */
export interface StoredSummaries extends WriteCounts {
  outOfBounds: number
  /** When those within the bounds begin and end, where they have a time. */
  times: readonly Pick<Sample, 'startedAt' | 'endedAt'>[]
}

export interface Stored {
  samples: StoredSamples
  summaries: StoredSummaries
}
