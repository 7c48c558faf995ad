export { convertValue, findMeasurement, type Measurement } from './loinc/measurements.ts'
export { toUcum } from './values/unit.ts'
