export { dayCacheJobs } from './day-cache.jobs.ts'
export {
  compareKeys,
  type OrderedSamples,
  type OriginSamples,
  type SampleOrigin,
} from './day-samples.ts'
export { beginWrite, type DayWrite, type WrittenSample } from './day-write.ts'
export { isNarrow, type ReadDays, readDays } from './read-days.service.ts'
