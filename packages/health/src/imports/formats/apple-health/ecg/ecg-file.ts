import { isStorableInstant } from '../../../../ingest/index.ts'
import { parseAppleDate } from '../apple-dates.ts'
import type { FileFault } from '../file-faults.ts'
import { MILLIVOLTS, quantityOf } from '../quantities.ts'

/** Why a file cannot be stored as an electrocardiogram. */
type EcgFault = 'invalid_start_date' | 'unknown_unit' | FileFault

export interface EcgRecording {
  /** Epoch milliseconds. */
  startedAt: number
  /** As written: the offset of the export. */
  timezoneOffset: number
  samplingHertz: number
  classification: 'sinus_rhythm' | 'atrial_fibrillation' | 'inconclusive' | null
  inconclusiveCause: 'high_heart_rate' | 'low_heart_rate' | 'poor_reading' | null
  algorithmVersion: string | null
  device: string
  /** Millivolts. */
  voltages: number[]
  /** The lines above the voltages except the name and birth date. */
  header: Record<string, string>
}

const DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}$/
/** The only line whose value is a number with a word: `512 hertz`, `512,3 Hertz`, `512 赫兹`. */
const RATE = /^(\d+(?:[.,]\d+)?)\s*\p{L}+\.?$/u
const UNIT = /^(?:[µμu]V|mV|V)$/
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/
/** Half a minute at 512 Hz has about 15,000 values. */
const MAX_VALUES = 1_000_000

/**
 * Parses an electrocardiogram of an export: lines of a name and a value, then one voltage per line.
 * The names are translated, so lines are recognized by the form of their values and by Apple's
 * order: date of the recording, classification, symptoms, software version, device, sample rate,
 * lead, unit. Numbers have a decimal comma where the language has one.
 */
export function readEcg(text: string): EcgRecording | EcgFault {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const header: [name: string, value: string][] = []
  const values: number[] = []
  for (const line of lines) {
    const [name = '', value] = cellsOf(line)
    if (NUMBER.test(name) || (value !== undefined && NUMBER.test(`${name},${value}`))) {
      const number = value === undefined ? name : `${name},${value}`
      values.push(Number(number.replace(',', '.')))
      if (values.length > MAX_VALUES) return 'unreadable_file'
    } else if (name !== '' && values.length === 0) {
      header.push([name, value ?? ''])
    } else if (name !== '') {
      return 'unreadable_file'
    }
  }
  return toRecording(header, values)
}

function toRecording(header: [string, string][], values: number[]): EcgRecording | EcgFault {
  const recorded = header.findIndex(([, value]) => DATE.test(value))
  const rateAt = header.findIndex(([, value], index) => index > recorded && RATE.test(value))
  const start = parseAppleDate(header[recorded]?.[1] ?? '')
  if (start === undefined || !isStorableInstant(start.epochMilliseconds)) {
    return 'invalid_start_date'
  }
  const rate = RATE.exec(header[rateAt]?.[1] ?? '')?.[1] ?? ''
  const samplingHertz = Number(rate.replace(',', '.'))
  // The store has a precision of milliseconds.
  if (!(samplingHertz > 0 && samplingHertz <= 1000) || values.length === 0) return 'unreadable_file'
  const unit = header.find(([, value]) => UNIT.test(value))?.[1]
  if (unit === undefined) return 'unknown_unit'
  const millivolts = values.map((value) => quantityOf(MILLIVOLTS, String(value), unit) ?? 0)
  const [classification, , version, device] = header.slice(recorded + 1).map(([, value]) => value)
  return {
    startedAt: start.epochMilliseconds,
    timezoneOffset: start.offsetSeconds,
    samplingHertz,
    ...parseClassification(classification ?? ''),
    algorithmVersion: version === undefined || version === '' ? null : version,
    device: device ?? '',
    voltages: millivolts,
    header: Object.fromEntries(header.slice(recorded)),
  }
}

/** Splits a line into cells, which semicolons separate in languages with decimal commas. */
function cellsOf(line: string): [name?: string, value?: string] {
  const cells = line.match(/"(?:[^"]|"")*"|[^,;"]+/g) ?? []
  const plain = cells.map((cell) => cell.replace(/^"|"$/g, '').replaceAll('""', '"').trim())
  if (plain.length <= 2) return plain as [string?, string?]
  return [plain[0], plain.slice(1).join(',')]
}

/** Classifications of the watch, in the languages with similar words; null for others. */
const WORDS: readonly [RegExp, Pick<EcgRecording, 'classification' | 'inconclusiveCause'>][] = [
  [/sin(?:us|us[ae]l)|洞/iu, { classification: 'sinus_rhythm', inconclusiveCause: null }],
  [
    /fibril|flimmer|flimren|房颤|心房|房顫/iu,
    { classification: 'atrial_fibrillation', inconclusiveCause: null },
  ],
  [
    /high heart rate|heart rate over|hohe herzfrequenz|fréquence cardiaque élevée|frecuencia cardiaca alta/iu,
    { classification: 'inconclusive', inconclusiveCause: 'high_heart_rate' },
  ],
  [
    /low heart rate|heart rate under|niedrige herzfrequenz|fréquence cardiaque basse|frecuencia cardiaca baja/iu,
    { classification: 'inconclusive', inconclusiveCause: 'low_heart_rate' },
  ],
  [
    /poor re|schlechte aufz|mauvais|enregistrement médiocre|deficiente/iu,
    { classification: 'inconclusive', inconclusiveCause: 'poor_reading' },
  ],
  [
    /inconclus|uneindeutig|nicht eindeutig|non concluant|no concluyente|non conclusiv/iu,
    { classification: 'inconclusive', inconclusiveCause: null },
  ],
]

function parseClassification(
  text: string,
): Pick<EcgRecording, 'classification' | 'inconclusiveCause'> {
  const found = WORDS.find(([pattern]) => pattern.test(text))
  return found?.[1] ?? { classification: null, inconclusiveCause: null }
}
