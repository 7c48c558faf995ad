import { NativeBlock } from '@salus/kernel/clickhouse/native-block'
import type { Sample, SampleOwner } from './sample.ts'
import { SEPARATOR } from './sample-rows.ts'
import type { Version } from './source-series.ts'

/** Columns of an insert: the origin contains everything that neighboring samples share. */
export const INSERT_COLUMNS = [
  'origin',
  'started_at',
  'ended_at',
  'diastolic',
  'text_value',
  'value',
  'version',
] as const

/** What neighboring samples share. */
interface RowOrigin {
  owner: SampleOwner
  /** Value of the column. */
  text: string
}

/** Rows of an insert, one for each key. */
export class InsertedRows {
  readonly #origins: RowOrigin[] = []
  /** Index of the origin of each row. */
  readonly #originOf: number[] = []
  readonly #versions: Version[] = []

  get count(): number {
    return this.#versions.length
  }

  /**
   * Returns a function that writes samples of one owner; the row of each is that of its version.
   */
  createWriter(owner: SampleOwner): (sample: Sample, version: Version) => void {
    let last: Sample | undefined
    let origin = -1
    return (sample, version) => {
      if (last === undefined || !haveSameOrigin(last, sample)) {
        origin = this.#origins.push({ owner, text: originText(owner, sample) }) - 1
      }
      last = sample
      this.#originOf[version.row] = origin
      this.#versions[version.row] = version
    }
  }

  /** Maps each row. */
  map<Result>(read: (owner: SampleOwner, version: Version) => Result): Result[] {
    return this.#versions.map((version, row) => {
      const { owner } = this.#origins[this.#originOf[row] as number] as RowOrigin
      return read(owner, version)
    })
  }

  /** Returns the columns of INSERT_COLUMNS. */
  toBlock(): NativeBlock {
    const { count } = this
    const [startedAt, endedAt, diastolic, value, version] = Array.from(
      { length: 5 },
      () => new Float64Array(count),
    ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
    const texts: string[] = []
    for (let row = 0; row < count; row++) {
      const entry = this.#versions[row] as Version
      const sample = entry.sample as Sample
      startedAt[row] = sample.startedAt
      endedAt[row] = sample.endedAt
      // Adding 0 removes a negative zero, which would be another value than that of a look-up.
      diastolic[row] = sample.diastolic + 0
      value[row] = sample.value + 0
      version[row] = entry.version
      texts.push(sample.text)
    }
    const block = new NativeBlock(count)
    const origins = this.#origins.map(({ text }) => text)
    block.addDictionary('origin', origins, this.#originOf)
    block.addIntegers('started_at', TIMESTAMP, startedAt)
    block.addIntegers('ended_at', TIMESTAMP, endedAt)
    block.addNumbers('diastolic', diastolic)
    block.addTexts('text_value', texts)
    block.addNumbers('value', value)
    block.addIntegers('version', 'UInt64', version)
    return block
  }
}

const TIMESTAMP = "DateTime64(3, 'UTC')"

function originText(owner: SampleOwner, sample: Sample): string {
  const fields = [
    owner.environmentId,
    owner.userId,
    sample.series,
    owner.provider,
    sample.sourceType,
    sample.appId,
    sample.sampleType,
    sample.workoutId,
    sample.sport,
    sample.timezoneOffset ?? '',
    sample.timeZone,
    sample.extra,
  ]
  return fields.join(SEPARATOR)
}

function haveSameOrigin(a: Sample, b: Sample): boolean {
  return (
    a.series === b.series &&
    a.sourceType === b.sourceType &&
    a.appId === b.appId &&
    a.sampleType === b.sampleType &&
    a.workoutId === b.workoutId &&
    a.sport === b.sport &&
    a.timezoneOffset === b.timezoneOffset &&
    a.timeZone === b.timeZone &&
    a.extra === b.extra
  )
}
