import {
  type ArrivedData,
  createIngest,
  type Ingest,
  type IngestOptions,
  type Publication,
  type Sample,
  type SampleOwner,
  type WriteCounts,
} from '@salus/health/ingest'
import {
  type NewSummary,
  SUMMARY_KIND,
  type SummaryResource,
  type WorkoutStream,
} from '@salus/health/summaries'
import { createScope, type Environment, type Stores } from '@salus/kernel/scope'

/** The port on stores of a test's own; batches wait a millisecond. */
export function createTestIngest(options: Stores & Partial<IngestOptions>): Ingest {
  return createIngest({ summaries: SUMMARY_KIND, isAlone: false, batchWaitMs: 1, ...options })
}

export interface SampleFixture {
  write(
    owner: SampleOwner,
    samples: readonly Sample[],
    publication?: Publication,
  ): Promise<WriteCounts>
}

export interface SummaryFixture {
  write(
    owner: SampleOwner,
    summaries: readonly NewSummary[],
    publication?: Publication,
  ): Promise<WriteCounts>
  remove(owner: SampleOwner, resource: SummaryResource, ids: readonly string[]): Promise<void>
  writeStreams(
    owner: SampleOwner,
    streams: ReadonlyMap<string, WorkoutStream>,
    publication?: Publication,
  ): Promise<WriteCounts>
}

/** Stores data of any user through the port, also of users who are in no table. */
export function storeAs(ingest: Ingest, stores: Stores) {
  return (owner: SampleOwner, data: ArrivedData, publication?: Publication) => {
    const environment = { ...publication?.environment, id: owner.environmentId } as Environment
    const { client_user_id = '' } = publication?.user ?? {}
    return ingest.store({
      scope: createScope(stores, environment),
      user: { id: owner.userId, client_user_id, ingestion_start: null, ingestion_end: null },
      provider: owner.provider,
      baseUrl: publication?.baseUrl ?? '',
      isPublished: publication !== undefined,
      ...data,
    })
  }
}

const countsOf = ({ inserted, updated, unchanged }: WriteCounts): WriteCounts => ({
  inserted,
  updated,
  unchanged,
})

export function createSampleFixture(ingest: Ingest, stores: Stores): SampleFixture {
  const store = storeAs(ingest, stores)
  return {
    write: async (owner, samples, publication) =>
      countsOf((await store(owner, { samples }, publication)).samples),
  }
}

export function createSummaryFixture(ingest: Ingest, stores: Stores): SummaryFixture {
  const store = storeAs(ingest, stores)
  return {
    write: async (owner, summaries, publication) =>
      countsOf((await store(owner, { summaries }, publication)).summaries),
    async remove(owner, resource, ids) {
      await store(owner, { removals: [{ resource, ids }] })
    },
    writeStreams: async (owner, streams, publication) =>
      (await store(owner, { streams }, publication)).summaries.streams,
  }
}
