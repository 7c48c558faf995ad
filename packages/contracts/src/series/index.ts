export type { MergeRule } from './merge-rules.ts'
export { type Source, sampleGroupSchema, sampleSchema, toTitle } from './sample.schema.ts'
export {
  type ExtraField,
  findSeries,
  SERIES,
  SERIES_BY_UPLOAD_NAME,
  type Series,
  type SeriesName,
  series,
} from './series.registry.ts'
export {
  inferHealthKitSourceType,
  isSourceType,
  SOURCE_TYPES,
  SOURCE_TYPES_BY_RANK,
  type SourceType,
} from './source-types.ts'
export { convertToCanonical, roundMeasured, type UnitTable, unitTable } from './units.ts'
