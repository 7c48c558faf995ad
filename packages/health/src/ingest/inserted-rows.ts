import { ByteText } from './byte-text.ts'
import type { Sample, SampleOwner } from './sample.ts'
import {
  escapeTsv,
  SEPARATOR,
  SHORT_FORM_FROM,
  SHORT_FORM_TO,
  timestampText,
} from './sample-rows.ts'
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

  /** Returns the rows as TabSeparated, in the order of INSERT_COLUMNS. */
  toBytes(): Buffer {
    const origins = this.#origins.map(({ text }) => Buffer.from(`${text}\t`))
    const to = new ByteText((this.count + 1) * ((origins[0]?.length ?? 0) + ROW_BYTES))
    for (const [row, { sample, version }] of this.#versions.entries()) {
      to.addBytes(origins[this.#originOf[row] as number] as Buffer)
      addRow(to, sample as Sample, version)
    }
    return to.finish()
  }
}

/** Bytes of the other columns of a usual row. */
const ROW_BYTES = 64
const [TAB, NEWLINE, DOT, ZERO] = [9, 10, 46, 48]

function addRow(to: ByteText, sample: Sample, version: number): void {
  const { startedAt, endedAt, diastolic, text, value } = sample
  const start = to.length
  addTimestamp(to, startedAt)
  to.addByte(TAB)
  if (endedAt === startedAt) to.addCopy(start, to.length)
  else {
    addTimestamp(to, endedAt)
    to.addByte(TAB)
  }
  if (diastolic === 0) to.addByte(ZERO)
  else to.addNumber(diastolic)
  to.addByte(TAB)
  if (text !== '') to.addText(escapeTsv(text))
  to.addByte(TAB)
  to.addNumber(value)
  to.addByte(TAB)
  addVersion(to, version)
  to.addByte(NEWLINE)
}

/** Adds an instant as timestampText writes it. */
function addTimestamp(to: ByteText, epochMilliseconds: number): void {
  if (epochMilliseconds < SHORT_FORM_FROM || epochMilliseconds > SHORT_FORM_TO) {
    to.addText(timestampText(epochMilliseconds))
    return
  }
  const seconds = Math.floor(epochMilliseconds / 1000)
  const high = Math.floor(seconds / 1e5)
  to.addNumber(high)
  to.addDigits(seconds - high * 1e5, 5)
  to.addByte(DOT)
  to.addDigits(epochMilliseconds - seconds * 1000, 3)
}

/** Versions have up to sixteen digits. */
function addVersion(to: ByteText, version: number): void {
  const high = Math.floor(version / 1e8)
  if (high === 0) {
    to.addNumber(version)
    return
  }
  to.addNumber(high)
  to.addDigits(version - high * 1e8, 8)
}

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
  return escapeTsv(fields.join(SEPARATOR))
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
