export { findReadPerson } from './data-versions.repository.ts'
export { dayCacheJobs } from './day-cache.jobs.ts'
export {
  compareKeys,
  compareUuids,
  type OrderedSamples,
  type OriginSamples,
  type SampleOrigin,
} from './day-samples.ts'
export {
  beginPatientWrite,
  beginWrite,
  beginWriteOfAll,
  beginWriteOfEveryone,
  type DayWrite,
} from './day-write.ts'
export { removeDaysBefore } from './day-writes.global.repository.ts'
export { isNarrow, type ReadDays, readDays } from './read-days.service.ts'
export {
  answerUnchanged,
  hasEnd,
  type TagAnswer,
  tagAnswerOf,
  type VersionedRead,
} from './unchanged-reads.ts'
