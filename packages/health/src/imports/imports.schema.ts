import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

const JOB_STATUSES = ['queued', 'running', 'completed', 'failed'] as const

const Counts = Type.Record(Type.String(), Type.Integer())

/** What became of the records of one type. */
export const RecordTypeReport = Type.Object(
  {
    type: Type.String({ description: 'Record type of the file.' }),
    resource: Nullable(Type.String({ description: 'Series that it feeds.' })),
    records: Type.Integer(),
    imported: Type.Integer({ description: 'New samples.' }),
    updated: Type.Integer({ description: 'Samples that a newer version replaced.' }),
    unchanged: Type.Integer({ description: 'Samples that were there already.' }),
    out_of_bounds: Type.Integer({ description: "Outside the user's ingestion bounds." }),
    put_aside: Type.Integer(),
    put_aside_reasons: Counts,
    merged: Type.Integer({
      description: 'Parts of a sample that another type counts, or of a summary.',
    }),
    not_supported: Type.Integer({ description: 'Records that nothing is made of.' }),
  },
  { title: 'RecordTypeReport' },
)
export type RecordTypeReport = Type.Static<typeof RecordTypeReport>

/** What became of the summaries of one resource that an import made. */
export const SummaryReport = Type.Object(
  {
    resource: Type.String(),
    imported: Type.Integer({ description: 'New summaries.' }),
    updated: Type.Integer({ description: 'Summaries that a newer version replaced.' }),
    unchanged: Type.Integer({ description: 'Summaries that were there already.' }),
    out_of_bounds: Type.Integer({ description: "Outside the user's ingestion bounds." }),
    replaced: Type.Integer({
      description: 'Older summaries of the same time that were taken back.',
    }),
  },
  { title: 'SummaryReport' },
)
export type SummaryReport = Type.Static<typeof SummaryReport>

const rule = (description: string) => Type.Integer({ description })

/** How many records had their local time told by which rule, the first that applied. */
export const ClockReport = Type.Object(
  {
    record_zone: rule('By the zone that the record names (`HKTimeZone`).'),
    record_offset: rule('By the offset of the record, in a file whose offsets are its own.'),
    zones_around: rule('By the zone that records around it in time name.'),
    fallback_zone: rule("By the user's fallback time zone."),
    nearest_zone: rule(
      'By the nearest zone in time, however far, as the user has no fallback time zone.',
    ),
    export_offset: rule('By the offset at which the export was made, as nothing else is known.'),
  },
  {
    title: 'ClockReport',
    description:
      'How many records had their local time told by which rule. Records that are quarantined or not supported, and heights, have none.',
  },
)
export type ClockReport = Type.Static<typeof ClockReport>

/** Before any record was told. */
export const NO_CLOCKS: Readonly<ClockReport> = {
  record_zone: 0,
  record_offset: 0,
  zones_around: 0,
  fallback_zone: 0,
  nearest_zone: 0,
  export_offset: 0,
}

/** What earlier imports brought and this export holds no more. */
export const MissingReport = Type.Object(
  {
    resource: Type.String({ description: 'Series or summary resource.' }),
    missing: Type.Integer({
      description: 'Stored by imports before this one, but deleted on the phone since.',
    }),
    removed: Type.Integer({ description: 'How many of them were removed: all, or none.' }),
  },
  { title: 'MissingReport' },
)
export type MissingReport = Type.Static<typeof MissingReport>

export const ImportProgress = Type.Object(
  {
    bytes_total: Type.Integer({ description: 'Size of the uncompressed file; 0 until known.' }),
    bytes_read: Type.Integer(),
    records: Type.Integer({ description: 'Elements read so far.' }),
    types: Type.Array(RecordTypeReport),
    summaries: Type.Array(SummaryReport, { description: 'Written after the file was read.' }),
    clocks: ClockReport,
    missing: Type.Array(MissingReport, {
      description: 'Found after a whole file was read, unless a newer export was imported before.',
    }),
    exported_at: Nullable(DateTime),
  },
  { title: 'ImportProgress' },
)
export type ImportProgress = Type.Static<typeof ImportProgress>

export const ImportJob = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    source: Type.String(),
    status: TextEnum(JOB_STATUSES),
    attempts: Type.Integer({ description: 'Above 1 when a run was cut short and began again.' }),
    file_bytes: Type.Integer(),
    progress: ImportProgress,
    error: Nullable(Type.Object({ error_type: Type.String(), error_message: Type.String() })),
    created_at: DateTime,
    started_at: Nullable(DateTime),
    finished_at: Nullable(DateTime),
  },
  { title: 'ImportJob' },
)
export type ImportJob = Type.Static<typeof ImportJob>

export const ImportJobList = Type.Object(
  { jobs: Type.Array(ImportJob), next_cursor: Nullable(Type.String()) },
  { title: 'ImportJobList' },
)
