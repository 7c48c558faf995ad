import type { SampleOwner } from '../../ingest/index.ts'
import type { NewSummary } from '../summary.ts'
import { summaryId } from '../summary-id.ts'
import { toStoredSummary } from './stored-summary.ts'
import { contentHash, contentText } from './summary-row-text.ts'

/** A summary as it will be written, made before it joins those of other callers. */
export interface PreparedSummary {
  summary: NewSummary
  id: string
  /** All that its source says of it, in the form of the store; equal texts are equal contents. */
  content: string
  hash: string
}

/** Whatever is wrong with a summary fails here, where it is its caller's alone. */
export function prepareSummary(owner: SampleOwner, summary: NewSummary): PreparedSummary {
  const id = summaryId(owner, summary)
  const row = toStoredSummary(owner, summary, { id, createdAt: 0, updatedAt: 0 })
  const content = contentText(summary.resource, row, summary.raw)
  return { summary, id, content, hash: contentHash(content) }
}
