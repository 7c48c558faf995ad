import assert from 'node:assert/strict'
import type { NewSummary, SummaryResource } from '@salus/health/summaries'

/** Asserts that there is a summary of a resource, whose values it then has. */
export function assertSummary<R extends SummaryResource>(
  summary: NewSummary | undefined,
  resource: R,
): asserts summary is NewSummary & NewSummary<R> {
  assert.equal(summary?.resource, resource)
}
