export { annotatePages, locate } from './evidence.ts'
export { createLabReportParser, type LabReportParserOptions } from './process/pool.ts'
export type * from './report.ts'
export { EngineProblem, FileProblem } from './report.ts'
