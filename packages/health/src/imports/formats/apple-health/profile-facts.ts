import { parseDate } from '@salus/kernel/time/instants'
import { isStorableInstant, type QuarantineReason } from '../../../ingest/index.ts'
import { type NewSummary, newSummary } from '../../../summaries/index.ts'
import { parseAppleDate } from './apple-dates.ts'
import type { HealthRecord, TextMap } from './health-data.ts'
import { CENTIMETERS, numberOf, quantityOf } from './quantities.ts'

export const HEIGHT = 'HKQuantityTypeIdentifierHeight'
const CHARACTERISTIC = 'HKCharacteristicTypeIdentifier'
const SEXES: Readonly<Record<string, string>> = {
  HKBiologicalSexFemale: 'female',
  HKBiologicalSexMale: 'male',
  HKBiologicalSexOther: 'other',
}

/** Collects facts about the user from the `Me` element and the records of height. */
export class ProfileFacts {
  #me: TextMap | undefined
  #height: { at: number; modifiedAt: number; centimeters: number } | undefined

  setMe(me: TextMap): void {
    this.#me = structuredClone(me)
  }

  /** Adds a record; returns undefined, or the reason why it was refused. */
  addHeight(record: HealthRecord): QuarantineReason | undefined {
    const at = parseAppleDate(record.startDate)?.epochMilliseconds
    if (at === undefined || !isStorableInstant(at)) return 'invalid_start_date'
    if (numberOf(record.value) === undefined) return 'invalid_value'
    const centimeters = quantityOf(CENTIMETERS, record.value, record.unit)
    if (centimeters === null) return 'unknown_unit'
    if (centimeters <= 0 || centimeters > 300) return 'out_of_range'
    const modifiedAt = parseAppleDate(record.creationDate ?? '')?.epochMilliseconds ?? at
    const known = this.#height
    const isLater =
      known === undefined || at > known.at || (at === known.at && modifiedAt >= known.modifiedAt)
    if (isLater) this.#height = { at, modifiedAt, centimeters }
    return undefined
  }

  /** YYYY-MM-DD, or null when it is not set. */
  get birthDate(): string | null {
    return parseDate(this.#of('DateOfBirth')) ?? null
  }

  #of(name: string): string {
    return this.#me?.get(CHARACTERISTIC + name) ?? ''
  }

  /** Returns the profile, or undefined where the export has no facts about the user. */
  toSummary(modifiedAt: number | null): NewSummary<'profile'> | undefined {
    const values = {
      height_centimeter: this.#height === undefined ? null : Math.round(this.#height.centimeters),
      birth_date: this.birthDate,
      wheelchair_use: this.#of('WheelchairUse') === 'HKWheelchairUseYes' ? true : null,
      sex: SEXES[this.#of('BiologicalSex')] ?? null,
    }
    if (Object.values(values).every((value) => value === null)) return undefined
    return newSummary(
      'profile',
      {
        recordId: 'profile',
        sourceType: 'unknown',
        appId: '',
        // A profile has no instant.
        startedAt: 0,
        endedAt: 0,
        modifiedAt,
        raw: Object.fromEntries(this.#me ?? []),
      },
      values,
    )
  }
}
