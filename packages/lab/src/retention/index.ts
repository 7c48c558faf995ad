export { RETAINED_LAB_RECORDS } from './old-lab-data.service.ts'
export type { RetainedRecords } from './old-records.ts'
