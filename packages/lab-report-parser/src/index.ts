export type * from './report.ts'
export { FileProblem } from './report.ts'
