import type { HealthCorrelation, HealthRecord } from './health-data.ts'
import { BLOOD_PRESSURE, DIASTOLIC, SYSTOLIC } from './record-types.ts'

/** Whether a record is one half of a blood pressure reading. */
export function isPressure({ type }: HealthRecord): boolean {
  return type === SYSTOLIC || type === DIASTOLIC
}

/**
 * Pairs the halves of blood pressure readings, since an export lists all systolic records before
 * all diastolic ones. An export with correlations repeats each reading there; the natural key
 * merges the two samples.
 */
export class BloodPressurePairs {
  readonly #waiting = new Map<string, HealthRecord[]>()

  /**
   * Returns the reading that this record completes, or undefined while its other half is missing.
   */
  add(record: HealthRecord): HealthCorrelation | undefined {
    const { sourceName, startDate } = record
    const otherType = record.type === SYSTOLIC ? DIASTOLIC : SYSTOLIC
    const others = `${otherType}|${sourceName}|${startDate}`
    const other = this.#waiting.get(others)?.shift()
    if (other === undefined) {
      this.#addWaiting(`${record.type}|${sourceName}|${startDate}`, record)
      return undefined
    }
    if (this.#waiting.get(others)?.length === 0) this.#waiting.delete(others)
    const systolic = record.type === SYSTOLIC ? record : other
    return { ...systolic, type: BLOOD_PRESSURE, records: [record, other] }
  }

  /** Two readings may have the same second; their halves then pair in the order of the file. */
  #addWaiting(key: string, record: HealthRecord): void {
    const waiting = this.#waiting.get(key)
    if (waiting === undefined) this.#waiting.set(key, [record])
    else waiting.push(record)
  }

  /** Returns halves without a partner. */
  unpairedRecords(): HealthRecord[] {
    return [...this.#waiting.values()].flat()
  }
}
