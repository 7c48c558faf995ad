import { isDeepStrictEqual } from 'node:util'
import type { EvaluatedMessage } from '../evaluation/evaluate-result-message.ts'
import type { ResultRow } from '../results.repository.ts'
import {
  type BiomarkerResult,
  type MissingBiomarkerResult,
  WITHOUT_DETAILS,
} from '../results.schema.ts'
import type { ReceivedContent, ResultMessageWithoutPdf, StoredDocument } from '../results.tables.ts'
import type { ShownEffect } from './plan-result-message.ts'

/**
 * Returns what a message changes in the results that are shown. A laboratory may send the same
 * results again with other times, or an older report late; neither is a correction. A report that
 * it calls corrected is one, also when only its notes or its patient differ.
 */
export function effectOf(
  versions: readonly ResultRow[],
  {
    content,
    merged,
    evaluated,
    isNewest,
  }: {
    content: ResultMessageWithoutPdf
    merged: ReceivedContent
    evaluated: EvaluatedMessage
    isNewest: boolean
  },
): ShownEffect {
  const newest = versions.at(-1)
  if (newest === undefined) return 'changed'
  const { evaluated: before } = newest.report
  if (content.status === 'corrected' && countGone(newest.report, merged) > 0) return 'changed'
  const [old, shown] = [before.results.map(comparableOf), evaluated.results.map(comparableOf)]
  const [oldMissing, missing] = [before.missing_results, evaluated.missing_results].map((each) =>
    each.map(keyOfMissing),
  ) as [unknown[], unknown[]]
  const isSame = haveAll(old, shown) && haveAll(shown, old) && haveAll(oldMissing, missing)
  if (isSame && haveAll(missing, oldMissing) && newest.status === evaluated.status) {
    const isCalledCorrected = isNewest && content.status === 'corrected' && content.scope !== 'part'
    return isCalledCorrected && !isRepeated(versions, content) ? 'changed' : 'none'
  }
  const isFinal = ({ status }: Partial<BiomarkerResult>) => status !== 'preliminary'
  const isKept = haveAll(old.filter(isFinal), shown) && haveAll(oldMissing, missing)
  return isKept && newest.status === evaluated.status ? 'added' : 'changed'
}

type WithDocuments = Pick<ReceivedContent, 'documents'>

const isIn = (documents: StoredDocument[] | undefined, { id }: StoredDocument): boolean =>
  documents?.some((each) => each.id === id) ?? false

/** Counts the documents of the version before that are not shown any more. */
export const countGone = (before: WithDocuments | undefined, merged: WithDocuments): number =>
  (before?.documents ?? []).filter((each) => !isIn(merged.documents, each)).length

/** Whether a document is shown that the version before did not have. */
export const haveNewDocuments = (
  before: WithDocuments | undefined,
  { documents = [] }: WithDocuments,
): boolean => documents.some((each) => !isIn(before?.documents, each))

const haveAll = (wanted: readonly unknown[], all: readonly unknown[]): boolean =>
  wanted.every((each) => all.some((other) => isDeepStrictEqual(each, other)))

/**
 * Data of a result without times, and without the standing of its panel. Results that were stored
 * by earlier releases lack some of it.
 */
function comparableOf(result: BiomarkerResult): Partial<BiomarkerResult> {
  const {
    timestamp: _,
    collected_at: _____,
    panel,
    source_sample_id: __,
    flags: ___,
    ...value
  } = {
    ...WITHOUT_DETAILS,
    ...result,
  }
  return {
    ...value,
    panel: panel && { ...panel, status: 'final' },
    status: value.status ?? 'final',
  }
}

const keyOfMissing = ({ slug, inferred_failure_type, note }: MissingBiomarkerResult) => ({
  slug,
  inferred_failure_type,
  note,
})

/** Whether an earlier message differed at most in its times. */
function isRepeated(versions: readonly ResultRow[], content: ResultMessageWithoutPdf): boolean {
  const { content_hash: _, ...own } = content
  return versions.some(({ received, report: { evaluated: __, content_hash: ___, ...shown } }) =>
    isDeepStrictEqual(withoutTimes(received ?? shown), withoutTimes(own)),
  )
}

function withoutTimes({
  reported_at: _,
  tests,
  results,
  documents = [],
  ...rest
}: ReceivedContent) {
  const undated = Object.entries(tests ?? {}).map(([key, { reported_at: __, ...test }]) => [
    key,
    test,
  ])
  const values = results.map(({ timestamp: __, ...result }) => result)
  const files = documents.map(({ id }) => id)
  return JSON.parse(
    JSON.stringify({ ...rest, files, results: values, tests: Object.fromEntries(undated) }),
  )
}
