import type { ExtraField, Series } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import { ByteText } from '@salus/kernel/byte-text'
import type { SampleOrigin } from '../../day-cache/index.ts'
import type { Sample } from '../sample.ts'

/**
 * Writes samples as in the grouped read (docs/contract/05-timeseries.md#sample-shapes), where the
 * engine makes their JSON; tests compare the two. Samples of one origin differ in the digits of
 * their times and in their values, so each is a copy of a template with these written over.
 */

const COMMA = 44
const ZERO = 48
/** Place of an instant in a template, and the parts of it that are written over. */
const INSTANT = '0000-00-00T00:00:00+00:00'
const DATE_LENGTH = 'YYYY-MM-DD'.length
/** Bytes of most values, and a comma. */
const VALUE_BYTES = 8
const [HOUR_AT, MINUTE_AT, SECOND_AT] = [11, 14, 17]

/** JSON of samples with commas between them, perhaps after a text. */
export class SampleBytes extends ByteText {
  /** Position of the first sample. */
  #first = 0

  /** Begins again with a text, in the same memory as before. */
  begin(text: string): void {
    this.end = 0
    this.addText(text)
    this.#first = this.end
  }

  /** Takes away and returns what was added after a position. */
  cut(position: number): Buffer {
    const rest = Buffer.from(this.bytes.subarray(position, this.end))
    this.end = position
    return rest
  }

  /** Adds a copy of a template and returns the position of the copy. */
  addTemplate(template: Uint8Array): number {
    if (this.end > this.#first) this.addByte(COMMA)
    const position = this.end
    this.addBytes(template)
    return position
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
    this.bytes[at] = ZERO + tens
    this.bytes[at + 1] = ZERO + number - tens * 10
  }
}

/** What samples of one origin differ in. */
type SampleContent = Pick<Sample, 'startedAt' | 'endedAt' | 'value' | 'diastolic' | 'text'>

type ValueWriter = (to: SampleBytes, sample: SampleContent) => void

/** Writes the samples of an origin. */
export class SampleWriter {
  readonly #template: Buffer
  /** Places of the instants in the template: timestamp and start, and the end. */
  readonly #starts: readonly number[]
  readonly #end: number
  readonly #isInterval: boolean
  readonly #writeValue: ValueWriter
  readonly #tail: Buffer
  #startDay = Number.NaN
  #endDay = Number.NaN

  /** @param deviceId Device that a blood pressure names, or null. */
  constructor(series: Series, origin: Omit<SampleOrigin, 'provider'>, deviceId: string | null) {
    const type = series.types === null || origin.sampleType === '' ? null : origin.sampleType
    const head = `{"id":null,"timezone_offset":${origin.timezoneOffset},"type":${JSON.stringify(type)},"unit":${JSON.stringify(series.unit)},"timestamp":"`
    const [toStart, toEnd] = ['","start":"', '","end":"']
    const first = Buffer.byteLength(head)
    const second = first + INSTANT.length + toStart.length
    this.#starts = [first, second]
    this.#end = second + INSTANT.length + toEnd.length
    this.#isInterval = series.shape === 'interval'
    const value = describeValue(series, origin, deviceId)
    this.#template = Buffer.from(
      `${head}${INSTANT}${toStart}${INSTANT}${toEnd}${INSTANT}"${value.head}`,
    )
    this.#writeValue = value.write
    this.#tail = Buffer.from(`${extraTexts(series.extraFields, origin.extra)}}`)
  }

  /** Bytes of a sample with a value of some digits, and the comma before it. */
  get usualBytes(): number {
    return this.#template.length + this.#tail.length + VALUE_BYTES
  }

  /** Adds a sample. */
  write(to: SampleBytes, sample: SampleContent): void {
    const { startedAt: start } = sample
    const end = this.#isInterval ? sample.endedAt : start
    const [startDay, endDay] = [Math.floor(start / DAY_MS), Math.floor(end / DAY_MS)]
    if (startDay !== this.#startDay || endDay !== this.#endDay) this.#setDays(startDay, endDay)
    const at = to.addTemplate(this.#template)
    const startSecond = Math.floor((start - startDay * DAY_MS) / 1000)
    for (const place of this.#starts) to.setTime(at + place, startSecond)
    to.setTime(at + this.#end, Math.floor((end - endDay * DAY_MS) / 1000))
    this.#writeValue(to, sample)
    to.addBytes(this.#tail)
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
  origin: Omit<SampleOrigin, 'provider'>,
  deviceId: string | null,
): { head: string; write: ValueWriter } {
  if (series.shape === 'blood_pressure') {
    const grouping = `,"grouping":${JSON.stringify(groupingOf(origin, deviceId))}`
    const write: ValueWriter = (to, { value, diastolic }) => {
      to.addNumber(value)
      to.addText(',"diastolic":')
      to.addNumber(diastolic)
      to.addText(grouping)
    }
    return { head: ',"systolic":', write }
  }
  const write: ValueWriter =
    series.valueKind === 'text'
      ? (to, { text }) => to.addText(JSON.stringify(text))
      : (to, { value }) => to.addNumber(value)
  return { head: ',"value":', write }
}

const groupingOf = (
  { sourceType, workoutId, sport }: Omit<SampleOrigin, 'provider'>,
  deviceId: string | null,
) => [sourceType, workoutId || null, sport || null, deviceId]

function extraTexts(fields: readonly ExtraField[], extra: string): string {
  if (fields.length === 0) return ''
  const values: Record<string, unknown> = extra === '' ? {} : JSON.parse(extra)
  return fields.map(({ name }) => `,"${name}":${JSON.stringify(values[name] ?? null)}`).join('')
}
