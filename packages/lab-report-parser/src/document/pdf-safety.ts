import { FileProblem } from '../report.ts'

/** @throws {FileProblem} `unreadable_file` for a PDF that was cut off */
export function checkPdf(bytes: Uint8Array): void {
  if (bytes.length < 32) throw new FileProblem('unreadable_file')
}
