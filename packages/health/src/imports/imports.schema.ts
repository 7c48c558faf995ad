import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { ImportOptions, ImportQuestion } from './import-options.ts'

const JOB_STATUSES = ['queued', 'running', 'needs_options', 'completed', 'failed'] as const

const Counts = Type.Record(Type.String(), Type.Integer())

/** Counts of the records of one type. */
export const RecordTypeCounts = Type.Object(
  {
    type: Type.String({ description: 'Record type in the file.' }),
    resource: Nullable(Type.String({ description: 'Series that the records become.' })),
    records: Type.Integer(),
    imported: Type.Integer({ description: 'Number of new samples.' }),
    updated: Type.Integer({ description: 'Number of samples that a newer version replaced.' }),
    unchanged: Type.Integer({ description: 'Number of samples that were already stored.' }),
    out_of_bounds: Type.Integer({
      description: "Number of samples outside the user's ingestion bounds.",
    }),
    put_aside: Type.Integer(),
    put_aside_reasons: Counts,
    merged: Type.Integer({
      description:
        'Number of records that became part of a sample of another type or of a summary.',
    }),
    not_supported: Type.Integer({
      description: 'Number of records of a type that is not supported.',
    }),
  },
  { title: 'RecordTypeReport' },
)
export type RecordTypeCounts = Type.Static<typeof RecordTypeCounts>

/** Counts of the summaries of one resource that an import made. */
export const SummaryCounts = Type.Object(
  {
    resource: Type.String(),
    imported: Type.Integer({ description: 'Number of new summaries.' }),
    updated: Type.Integer({ description: 'Number of summaries that a newer version replaced.' }),
    unchanged: Type.Integer({ description: 'Number of summaries that were already stored.' }),
    out_of_bounds: Type.Integer({
      description: "Number of summaries outside the user's ingestion bounds.",
    }),
    replaced: Type.Integer({
      description: 'Number of older summaries of the same time that were removed.',
    }),
  },
  { title: 'SummaryReport' },
)
export type SummaryCounts = Type.Static<typeof SummaryCounts>

const rule = (description: string) => Type.Integer({ description })

/** Number of records by the rule that determined their local time, the first that applied. */
export const LocalTimeCounts = Type.Object(
  {
    record_zone: rule('Records with a time zone of their own (`HKTimeZone`).'),
    record_offset: rule(
      'Records with an offset of their own, in a file whose offsets are reliable.',
    ),
    zones_around: rule('Records that take the zone of the records around them in time.'),
    fallback_zone: rule("Records that take the user's fallback time zone."),
    nearest_zone: rule(
      'Records that take the nearest zone in time, because the user has no fallback time zone.',
    ),
    export_offset: rule(
      'Records that take the offset of the export, because nothing else is known.',
    ),
  },
  {
    title: 'ClockReport',
    description:
      'Number of records of an Apple Health export by the rule that determined their local time. Heights and records that are quarantined or not supported are not counted. All are 0 for other formats, whose times have their offset in the file or the time zone of the options.',
  },
)
export type LocalTimeCounts = Type.Static<typeof LocalTimeCounts>

/** Counts of an import without records. */
export const NO_LOCAL_TIME_COUNTS: Readonly<LocalTimeCounts> = {
  record_zone: 0,
  record_offset: 0,
  zones_around: 0,
  fallback_zone: 0,
  nearest_zone: 0,
  export_offset: 0,
}

/** Data of earlier imports that this export lacks. */
export const MissingCounts = Type.Object(
  {
    resource: Type.String({ description: 'Series or summary resource.' }),
    missing: Type.Integer({
      description:
        'Number of objects that earlier imports stored and that were since deleted on the phone.',
    }),
    removed: Type.Integer({
      description: 'Number of these objects that were removed: all or none.',
    }),
  },
  { title: 'MissingReport' },
)
export type MissingCounts = Type.Static<typeof MissingCounts>

export const ImportProgress = Type.Object(
  {
    bytes_total: Type.Integer({
      description: 'Size of the uncompressed file in bytes; 0 until it is known.',
    }),
    bytes_read: Type.Integer(),
    records: Type.Integer({ description: 'Number of elements read so far.' }),
    types: Type.Array(RecordTypeCounts),
    summaries: Type.Array(SummaryCounts, {
      description: 'Summaries by resource. They are written after the file was read.',
    }),
    clocks: LocalTimeCounts,
    missing: Type.Array(MissingCounts, {
      description:
        'Data that this export lacks. Determined after the whole file was read, unless a newer export was imported before.',
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
    source: Nullable(
      Type.String({ description: 'Format of the file; null until it was recognized.' }),
    ),
    provider: Nullable(
      Type.String({ description: 'Provider of the data; null until the file was recognized.' }),
    ),
    status: TextEnum(JOB_STATUSES, {
      description:
        '`needs_options`: the file leaves a question open, nothing is stored yet, and the answer continues the job within 7 days.',
    }),
    questions: Type.Array(ImportQuestion, { description: 'Options that the job waits for.' }),
    options: ImportOptions,
    attempts: Type.Integer({
      description:
        'Number of runs of the job. It exceeds 1 when a run was interrupted and started again.',
    }),
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

export const ImportFormatList = Type.Object(
  {
    formats: Type.Array(
      Type.Object(
        {
          slug: Type.String({ description: 'Value of `format` and of `source` of a job.' }),
          title: Type.String(),
          how_to_export: Type.String({ description: 'Instructions for getting the file.' }),
          options: Type.Array(Type.String(), {
            description: 'Names of the options that the format understands.',
          }),
          notes: Type.Array(Type.String()),
        },
        { title: 'ImportFormat' },
      ),
    ),
  },
  { title: 'ImportFormatList' },
)
export type ImportFormatList = Type.Static<typeof ImportFormatList>
