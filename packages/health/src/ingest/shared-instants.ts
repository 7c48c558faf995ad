import type { SeriesName } from '@salus/contracts/series'
import type { Sample } from './sample.ts'

interface Reading {
  sample: Sample
  id: string
  /** A reading of another source at the same instant. */
  next: Reading | undefined
}

/**
 * Series of single readings and of entries by hand: two in one minute are distinct. Everywhere else
 * one source has one value for a time, and the newest wins.
 */
const ENTRIES: ReadonlySet<string> = new Set<SeriesName>([
  'glucose',
  'blood_pressure',
  'carbohydrates',
  'caffeine',
  'water',
  'insulin_injection',
  'note',
])

/** Whether two samples of a series at one instant may be distinct. */
export const hasSharedInstants = (seriesName: string): boolean => ENTRIES.has(seriesName)

/**
 * Separates entries of one source and instant in one upload or file, for example of a meter with
 * times in whole minutes, or the foods of a meal. The natural key would merge them; so the second
 * one is stored a millisecond later, the third two, in their order. Answers have whole seconds and
 * hide it, and the same file again finds the same instants.
 */
export class SharedInstants {
  #lately: ByInstant = new Map()
  #before: ByInstant = new Map()
  /** The last instant of each series that has a reading. */
  readonly #last = new Map<string, number>()

  /**
   * @param id Id of the reading at its source, or empty: a repeated reading stays one.
   * @returns The sample at an instant of its own.
   */
  separateSample(sample: Sample, id = ''): Sample {
    if (!ENTRIES.has(sample.series)) return sample
    const last = this.#last.get(sample.series) ?? Number.NEGATIVE_INFINITY
    for (let at = sample.startedAt; ; at++) {
      // Most readings come in the order of time.
      const other =
        at > last
          ? undefined
          : (findReading(this.#lately, sample, at) ?? findReading(this.#before, sample, at))
      if (other !== undefined && !isSameReading(other, sample, id)) continue
      if (other === undefined) this.#keep(at, sample, id)
      if (at > last) this.#last.set(sample.series, at)
      return at === sample.startedAt
        ? sample
        : { ...sample, startedAt: at, endedAt: Math.max(at, sample.endedAt) }
    }
  }

  /**
   * Forgets what came before the last call; in a long file the readings of an instant are adjacent.
   */
  forgetEarlier(): void {
    this.#before = this.#lately
    this.#lately = new Map()
  }

  #keep(at: number, sample: Sample, id: string): void {
    const { series } = sample
    let instants = this.#lately.get(series)
    if (instants === undefined) {
      instants = new Map()
      this.#lately.set(series, instants)
    }
    instants.set(at, { sample, id, next: instants.get(at) })
  }
}

/** The readings of each instant, by series. */
type ByInstant = Map<string, Map<number, Reading>>

function findReading(known: ByInstant, sample: Sample, at: number): Reading | undefined {
  let reading = known.get(sample.series)?.get(at)
  while (reading !== undefined && !isOfSameSource(reading.sample, sample)) reading = reading.next
  return reading
}

function isOfSameSource(a: Sample, b: Sample): boolean {
  return (
    a.sourceType === b.sourceType &&
    a.appId === b.appId &&
    a.sampleType === b.sampleType &&
    a.workoutId === b.workoutId
  )
}

function isSameReading({ sample: a, id: idOfA }: Reading, b: Sample, idOfB: string): boolean {
  if (a.startedAt !== b.startedAt) return false
  if (idOfA !== '' && idOfB !== '') return idOfA === idOfB
  return (
    a.value === b.value &&
    a.diastolic === b.diastolic &&
    a.text === b.text &&
    // An export has a pressure twice, as a whole and as halves, which were created at other times.
    (writtenAt(a) === writtenAt(b) || a.series === 'blood_pressure')
  )
}

/**
 * Where a local time was found, the milliseconds are its strength and not part of the time of
 * writing.
 */
const writtenAt = ({ modifiedAt, localTimeOfEqual }: Sample): number | null =>
  modifiedAt === null || localTimeOfEqual === undefined ? modifiedAt : Math.floor(modifiedAt / 1000)
