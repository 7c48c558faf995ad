import { readSourcePages } from '../src/pages/read-pages.ts'
import type { ParseOutcome } from '../src/report.ts'

/**
 * Reads and renders every page, and recognizes nothing: what of the parser touches the bytes of
 * strangers.
 */
export async function parseLabReport(files: readonly Uint8Array[]): Promise<ParseOutcome> {
  for await (const page of readSourcePages(files)) await page.render()
  return { status: 'failed', reason: 'invalid_input', detail: 'nothing was looked for' }
}
