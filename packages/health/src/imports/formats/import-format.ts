import type { UserRow } from '@salus/accounts/users'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { VendorInstant } from '../../connectors/index.ts'
import type { Ingest, SampleOwner } from '../../ingest/index.ts'
import type { ImportFiles } from '../files/import-files.ts'
import type { ImportOptions, ImportQuestion } from '../import-options.ts'
import type { ImportWriter } from '../running/import-writer.ts'

/**
 * A file that people export from an app or a device themselves. Formats know neither jobs nor
 * routes: the same code imports a file on the server and shows what it becomes in the terminal.
 */
export interface ImportFormat {
  /** Name in the API, such as `fitbit_takeout`; `source` of the job. */
  readonly slug: string
  /** Name for people, such as "Fitbit data of Google Takeout". */
  readonly title: string
  /** How a person gets the file, in one or two sentences, for docs and the console. */
  readonly howToExport: string
  /**
   * Slug of the provider of the data. Record ids that the vendor also uses in its cloud interface
   * are the same, so that a record of both is stored once.
   */
  readonly provider: string | ((files: ImportFiles) => Promise<string>)
  /** What the format becomes and what it leaves out, in plain sentences, for the docs. */
  readonly notes: readonly string[]
  /** Options that the format understands (`ImportOptions`). */
  readonly options: readonly (keyof ImportOptions)[]
  /**
   * Whether the files have this format, by their content: names of files inside a zip together with
   * their head rows. It reads little, and a file of another format, however damaged, is no error.
   */
  readonly recognize: (files: ImportFiles) => Promise<boolean>
  /** Whether `read` refuses files of other formats with errors of its own, where it is named. */
  readonly refusesOthers?: true
  /**
   * Returns what the file does not say and no option answers, such as the order of day and month.
   * Nothing is stored before all questions are answered.
   */
  readonly ask?: (context: ImportContext) => Promise<readonly ImportQuestion[]>
  /**
   * Reads the files from the beginning to the end and adds their records to the writer. It awaits
   * `out.settle()` at least once in some thousand records, so that memory stays bounded.
   * @throws ImportFileError for damage; what was added before stays stored
   */
  readonly read: (context: ImportContext, out: ImportWriter) => Promise<void>
}

/** What a format knows beside its files. */
export interface ImportContext {
  readonly files: ImportFiles
  /** Options that were given; a zone is that of the user where none was given. */
  readonly options: ImportOptions
  readonly user: ImportUser
  readonly now: Date
  /** Maximum size of all content, in bytes. */
  readonly maxBytes: number
  /** Places local times without an offset. */
  readonly clock: LocalClock
  /** Stops the import between two records; what was stored stays. */
  readonly signal: AbortSignal
  /** The stores; undefined where the file is only shown. */
  readonly stores: ImportStores | undefined
}

/** The fields of a user that an import needs. */
export type ImportUser = Pick<
  UserRow,
  | 'ingestion_start'
  | 'ingestion_end'
  | 'fallback_time_zone'
  | 'fallback_time_zone_source'
  | 'fallback_birth_date'
>

export interface ImportStores {
  readonly owner: SampleOwner
  readonly clickhouse: ClickHouse
  readonly removeSamples: Ingest['removeSamples']
  readonly changeStored: Ingest['changeStored']
  /** Whether data that the file lacks are removed, or only counted. */
  readonly removesMissing: boolean
  /** Time of the newest export of the same format that was imported before, or null. */
  readonly newestExportAt: Date | null
}

/** Places wall clock times in the zone of the options. */
export interface LocalClock {
  /**
   * Returns the instant of a local date-time such as `2026-03-01T18:05:30` or `2026-03-01 18:05`.
   * Without a zone (`floating`) it is stored as if it were UTC, with an unknown offset
   * (docs/contract/01-conventions.md#base-rules). Undefined for any other text.
   * @param after Instant of the record before in a series that only rises, such as readings of a
   *   sensor: it decides between the two instants of an hour that occurs twice.
   */
  local(text: string, after?: VendorInstant): VendorInstant | undefined
}
