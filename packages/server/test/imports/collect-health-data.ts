import { ImportFileError } from '../../../health/src/imports/files/import-file-error.ts'
import type {
  HealthCorrelation,
  HealthRecord,
  HealthWorkout,
  TextMap,
} from '../../../health/src/imports/formats/apple-health/health-data.ts'
import { HealthDataScanner } from '../../../health/src/imports/formats/apple-health/health-data-scanner.ts'

export interface CollectedHealthData {
  records: HealthRecord[]
  correlations: HealthCorrelation[]
  workouts: HealthWorkout[]
  others: [elementName: string, attributes: TextMap][]
  error: { code: string; byteOffset: number | undefined } | undefined
}

/** Everything the scanner delivers for these chunks, and the error it ends with, for tests. */
export function collectHealthData(chunks: Iterable<Uint8Array>): CollectedHealthData {
  const found: CollectedHealthData = {
    records: [],
    correlations: [],
    workouts: [],
    others: [],
    error: undefined,
  }
  const scanner = new HealthDataScanner({
    onRecord: (record) => found.records.push(record),
    onCorrelation: (correlation) => found.correlations.push(correlation),
    onWorkout: (workout) => found.workouts.push(workout),
    onOther: (elementName, attributes) => found.others.push([elementName, attributes]),
  })
  try {
    for (const chunk of chunks) scanner.write(chunk)
    scanner.end()
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error
    found.error = { code: error.code, byteOffset: error.byteOffset }
  }
  return found
}

export function collectFromText(xml: string): CollectedHealthData {
  return collectHealthData([Buffer.from(xml)])
}
