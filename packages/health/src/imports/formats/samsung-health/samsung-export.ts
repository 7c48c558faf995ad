import type { SourceType } from '@salus/contracts/series'
import type { VendorInstant } from '../../../connectors/index.ts'
import type { ImportFile, ImportFiles } from '../../files/import-files.ts'
import { readJsonFile } from '../../files/json.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { TypeData } from '../../running/type-data.ts'
import { openTable, type SamsungRow, typeOfTable } from './samsung-table.ts'
import {
  basisOf,
  countVotes,
  instantIn,
  modifiedIn,
  type TimeBasis,
  type Votes,
} from './samsung-times.ts'

/** A row with its times and its source. */
export interface SamsungRecord {
  row: SamsungRow
  start: VendorInstant
  end: VendorInstant
  frame: { sourceType: SourceType; appId: string; modifiedAt?: number }
  /** Id of the record, which is the same in every export. */
  id: string
  /** The known columns. */
  raw: Record<string, string>
}

const COMMON = ['datauuid', 'pkg_name', 'start_time', 'end_time', 'time_offset', 'update_time']

/** The tables and files of an export. */
export class SamsungExport {
  readonly out: ImportWriter
  readonly now: Date
  readonly #tables: ReadonlyMap<string, readonly ImportFile[]>
  readonly #files: ReadonlyMap<string, ImportFile>
  /** The basis of all tables together, for those that say nothing. */
  readonly #basis: TimeBasis
  readonly #basisOfType: ReadonlyMap<string, TimeBasis>

  private constructor(
    known: { tables: Map<string, ImportFile[]>; files: Map<string, ImportFile> },
    votes: ReadonlyMap<string, Votes>,
    { out, now }: { out: ImportWriter; now: Date },
  ) {
    this.out = out
    this.now = now
    this.#tables = known.tables
    this.#files = known.files
    const all = { utc: 0, local: 0 }
    const bases = new Map<string, TimeBasis>()
    for (const [type, { utc, local }] of votes) {
      all.utc += utc
      all.local += local
      const basis = basisOf({ utc, local })
      if (basis !== undefined) bases.set(type, basis)
    }
    this.#basisOfType = bases
    this.#basis = basisOf(all) ?? 'utc'
  }

  /** @param types Types of tables whose rows have times. */
  static async open(
    { files }: ImportFiles,
    types: readonly string[],
    writing: { out: ImportWriter; now: Date },
  ): Promise<SamsungExport> {
    const tables = await findTables(files)
    const others = new Map<string, ImportFile>()
    for (const file of files) if (file.name.endsWith('.json')) others.set(file.name, file)
    const votes = new Map<string, Votes>()
    for (const type of types) {
      for (const file of tables.get(type) ?? []) {
        const { utc, local } = await countVotes(await openTable(file, type))
        const before = votes.get(type) ?? { utc: 0, local: 0 }
        votes.set(type, { utc: before.utc + utc, local: before.local + local })
      }
    }
    return new SamsungExport({ tables, files: others }, votes, writing)
  }

  /** Whether the export has a table of one of some types. */
  has(...types: readonly string[]): boolean {
    return types.some((type) => this.#tables.has(type))
  }

  /** Returns how the times of a type are read, and whether its own rows say so. */
  basisOf(type: string): TimeBasis {
    return this.#basisOfType.get(type) ?? this.#basis
  }

  /** Calls back with every row of some types. */
  async forEachRow(
    types: readonly string[],
    add: (row: SamsungRow, type: string) => void | Promise<void>,
  ): Promise<void> {
    for (const type of types) {
      for (const file of this.#tables.get(type) ?? []) {
        const table = await openTable(file, type)
        for await (const rows of table.batches()) {
          for (const row of rows) await add(row, type)
          await this.out.settle()
        }
      }
    }
  }

  /**
   * Calls back with every row of some types that has times. A row that has none, or a broken
   * offset, is quarantined.
   * @param columns Further columns that are known.
   */
  async forEachRecord(
    types: readonly string[],
    { resource, name, columns }: { resource: string; name: string; columns: readonly string[] },
    add: (record: SamsungRecord, data: TypeData) => void | Promise<void>,
  ): Promise<void> {
    await this.forEachRow(types, async (row, type) => {
      const basis = this.basisOf(type)
      const data = this.out.type(basis === 'utc' ? name : `${name}, local times`, resource)
      const raw = row.pick([...COMMON, ...columns])
      const start = instantIn(row, 'start_time', basis)
      const hasEnd = row.get('end_time') !== ''
      const end = hasEnd ? instantIn(row, 'end_time', basis) : start
      if (start === undefined || end === undefined) {
        data.count()
        const problem = start === undefined ? 'invalid_start_date' : 'invalid_end_date'
        data.quarantine(resource, problem, raw)
        return
      }
      const frame = {
        sourceType: 'unknown' as const,
        appId: row.get('pkg_name'),
        ...modifiedIn(row, this.now),
      }
      await add({ row, start, end, frame, id: row.get('datauuid'), raw }, data)
    })
  }

  /**
   * Returns the entries of a file that a cell names; none where the export does not have it.
   * @throws ImportFileError `malformed_json`
   */
  async entriesOf(name: string): Promise<Record<string, unknown>[]> {
    if (name === '') return []
    const file = this.#files.get(name.slice(name.lastIndexOf('/') + 1).toLowerCase())
    const content = file === undefined ? [] : await readJsonFile(file)
    return (Array.isArray(content) ? content : []).filter(
      (entry) => typeof entry === 'object' && entry !== null,
    )
  }
}

/** Returns the tables by their types; a table may be named as its owner likes. */
export async function findTables(files: readonly ImportFile[]): Promise<Map<string, ImportFile[]>> {
  const tables = new Map<string, ImportFile[]>()
  for (const file of files) {
    if (file.path !== '' && !/\.(csv|txt)$/.test(file.name)) continue
    const type = await typeOfTable(file)
    if (type === undefined) continue
    const others = tables.get(type)
    if (others === undefined) tables.set(type, [file])
    else others.push(file)
  }
  return tables
}
