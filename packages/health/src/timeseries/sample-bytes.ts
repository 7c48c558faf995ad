import type { ExtraField, Series } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import type { OriginSamples, SampleOrigin } from '../day-cache/index.ts'

/**
 * Writes samples as the JSON that sample-json.ts has the engine write, where the samples are at
 * hand already. Samples of one origin differ in the digits of their times and in their values, so
 * each is a copy of a template with these written over.
 */

const COMMA = 44
const ZERO = 48
/** Place of an instant in a template, and the parts of it that are written over. */
const INSTANT = '0000-00-00T00:00:00+00:00'
const DATE_LENGTH = 'YYYY-MM-DD'.length
const [HOUR_AT, MINUTE_AT, SECOND_AT] = [11, 14, 17]
/** Values up to here are written digit by digit when they are whole. */
const MOST_DIGITS = 999_999

/** JSON of samples with commas between them. */
export class SampleBytes {
  #bytes = Buffer.allocUnsafe(4_096)
  #length = 0

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Adds a copy of a template and returns the position of the copy. */
  addTemplate(template: Uint8Array): number {
    this.#reserve(template.length + 1)
    if (this.#length > 0) this.#bytes[this.#length++] = COMMA
    const position = this.#length
    this.#bytes.set(template, position)
    this.#length += template.length
    return position
  }

  addText(text: string): void {
    this.#reserve(text.length * 3)
    this.#length += this.#bytes.write(text, this.#length)
  }

  addNumber(value: number): void {
    const isShort = Number.isInteger(value) && value >= 0 && value <= MOST_DIGITS
    if (!isShort || Object.is(value, -0)) {
      this.addText(String(value))
      return
    }
    this.#reserve(6)
    let digits = 1
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1
    let rest = value
    for (let at = this.#length + digits - 1; at >= this.#length; at--) {
      const next = (rest / 10) | 0
      this.#bytes[at] = ZERO + rest - next * 10
      rest = next
    }
    this.#length += digits
  }

  /** Writes the time of a day over that of an instant. */
  setTime(instantAt: number, second: number): void {
    const minute = (second / 60) | 0
    const hour = (minute / 60) | 0
    this.#setPair(instantAt + HOUR_AT, hour)
    this.#setPair(instantAt + MINUTE_AT, minute - hour * 60)
    this.#setPair(instantAt + SECOND_AT, second - minute * 60)
  }

  #setPair(at: number, number: number): void {
    const tens = (number / 10) | 0
    this.#bytes[at] = ZERO + tens
    this.#bytes[at + 1] = ZERO + number - tens * 10
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(2 * (this.#length + count))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

type ValueWriter = (to: SampleBytes, index: number) => void

/** Writes the samples of an origin. */
export class SampleWriter {
  readonly #samples: OriginSamples
  readonly #template: Buffer
  /** Places of the instants in the template: timestamp and start, and the end. */
  readonly #starts: readonly number[]
  readonly #end: number
  readonly #isInterval: boolean
  readonly #writeValue: ValueWriter
  readonly #tail: string
  #startDay = Number.NaN
  #endDay = Number.NaN

  /** @param deviceId Device that a blood pressure names, or null. */
  constructor(series: Series, samples: OriginSamples, deviceId: string | null) {
    const { origin } = samples
    const type = series.types === null || origin.sampleType === '' ? null : origin.sampleType
    const head = `{"id":null,"timezone_offset":${origin.timezoneOffset},"type":${JSON.stringify(type)},"unit":${JSON.stringify(series.unit)},"timestamp":"`
    const [toStart, toEnd] = ['","start":"', '","end":"']
    const first = Buffer.byteLength(head)
    const second = first + INSTANT.length + toStart.length
    this.#samples = samples
    this.#starts = [first, second]
    this.#end = second + INSTANT.length + toEnd.length
    this.#isInterval = series.shape === 'interval'
    const value = describeValue(series, samples, deviceId)
    this.#template = Buffer.from(
      `${head}${INSTANT}${toStart}${INSTANT}${toEnd}${INSTANT}"${value.head}`,
    )
    this.#writeValue = value.write
    this.#tail = `${extraTexts(series.extraFields, origin.extra)}}`
  }

  /** Adds a sample by its index in the columns. */
  write(to: SampleBytes, index: number): void {
    const { startedAt, endedAt } = this.#samples
    const start = startedAt[index] as number
    const end = this.#isInterval ? (endedAt[index] as number) : start
    const [startDay, endDay] = [Math.floor(start / DAY_MS), Math.floor(end / DAY_MS)]
    if (startDay !== this.#startDay || endDay !== this.#endDay) this.#setDays(startDay, endDay)
    const at = to.addTemplate(this.#template)
    const startSecond = Math.floor((start - startDay * DAY_MS) / 1000)
    for (const place of this.#starts) to.setTime(at + place, startSecond)
    to.setTime(at + this.#end, Math.floor((end - endDay * DAY_MS) / 1000))
    this.#writeValue(to, index)
    to.addText(this.#tail)
  }

  #setDays(startDay: number, endDay: number): void {
    this.#startDay = startDay
    this.#endDay = endDay
    for (const place of this.#starts) this.#template.write(dateOf(startDay), place)
    this.#template.write(dateOf(endDay), this.#end)
  }
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, DATE_LENGTH)

/** The part before a value, which all samples of an origin share, and the function of the rest. */
function describeValue(
  series: Series,
  { origin, value, diastolic, text }: OriginSamples,
  deviceId: string | null,
): { head: string; write: ValueWriter } {
  if (series.shape === 'blood_pressure') {
    const grouping = `,"grouping":${JSON.stringify(groupingOf(origin, deviceId))}`
    const write: ValueWriter = (to, index) => {
      to.addNumber(value[index] as number)
      to.addText(',"diastolic":')
      to.addNumber(diastolic[index] as number)
      to.addText(grouping)
    }
    return { head: ',"systolic":', write }
  }
  const write: ValueWriter =
    series.valueKind === 'text'
      ? (to, index) => to.addText(JSON.stringify(text?.[index] ?? ''))
      : (to, index) => to.addNumber(value[index] as number)
  return { head: ',"value":', write }
}

const groupingOf = ({ sourceType, workoutId, sport }: SampleOrigin, deviceId: string | null) => [
  sourceType,
  workoutId || null,
  sport || null,
  deviceId,
]

function extraTexts(fields: readonly ExtraField[], extra: string): string {
  if (fields.length === 0) return ''
  const values: Record<string, unknown> = extra === '' ? {} : JSON.parse(extra)
  return fields.map(({ name }) => `,"${name}":${JSON.stringify(values[name] ?? null)}`).join('')
}
