import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { Section } from '../../components/page.tsx'
import { DecideReport } from './decide-report.tsx'
import {
  addResult,
  changeHead,
  changeResult,
  countChanges,
  type Draft,
  draftOfReview,
  EMPTY_DRAFT,
  listRows,
  rowKey,
} from './draft.ts'
import { type PageBox, PageViewer } from './page-viewer.tsx'
import { describePatientDoubt, PatientComparison } from './patient-comparison.tsx'
import { ReportHeadSection } from './report-head.tsx'
import type { Evidence, Report } from './report-query.ts'
import { ResultList } from './result-list.tsx'
import { findUnknownNames } from './unknown-names.ts'
import './report.css'

/** Confidence below which a result is marked. */
const SURE = 0.8

/** Shows the pages of a report beside its results; selecting one shows the other. */
export function ReportView({ report }: { report: Report }): ReactNode {
  const { job, reading, evidence, review } = report
  const isOpen = job.status === 'pending_review'
  const comparison = review?.patient_comparison
  const [draft, setDraft] = useState<Draft>(() =>
    review?.decision === 'approved' ? draftOfReview(review) : EMPTY_DRAFT,
  )
  const [pointed, setPointed] = useState<string | null>(null)
  const [selected, setSelected] = useState<string | null>(null)
  const rows = useMemo(() => listRows(reading, draft), [reading, draft])
  const boxes = useMemo(() => listBoxes(evidence), [evidence])
  const printed = useMemo(() => findPrintedRanges(boxes), [boxes])
  const unsure = useMemo(
    () => new Set([...findUnsure(boxes), ...findUnknownNames(rows)]),
    [boxes, rows],
  )
  useLeaveGuard(isOpen && countChanges(draft) > 0)
  const selectFromPage = useCallback((owner: string) => {
    setSelected(owner)
    const head = document.getElementById(`row-${owner.replace(/\D/g, '')}-head`)
    head?.scrollIntoView({ block: 'nearest' })
    head?.focus({ preventScroll: true })
  }, [])
  const isComplete = rows.every(
    ({ read, changes, isRemoved }) =>
      isRemoved || [{ ...read, ...changes }].every((now) => now.test_name && now.value),
  )
  const show = { onPoint: setPointed, onSelect: setSelected }
  return (
    <div className="report-sides" data-alone={reading === null || undefined}>
      <PageViewer
        jobId={job.id}
        pages={evidence?.pages ?? assumePages(job.progress?.pages ?? 1)}
        boxes={boxes}
        pointed={pointed}
        selected={selected}
        onPoint={setPointed}
        onSelect={selectFromPage}
      />
      {reading !== null && (
        <div className="report-reading">
          {comparison !== null && comparison !== undefined && (
            <PatientComparison comparison={comparison} />
          )}
          <ReportHeadSection
            read={reading.metadata}
            changes={draft.metadata}
            {...show}
            onChange={
              isOpen
                ? (changes) => setDraft((old) => changeHead(old, reading.metadata, changes))
                : undefined
            }
          />
          <Section title={titleOf(rows.length)} description={describeUnsure(unsure, isOpen)}>
            <ResultList
              rows={rows}
              printed={printed}
              unsure={unsure}
              selected={selected}
              {...show}
              onChange={
                isOpen
                  ? (row, changes) => setDraft((old) => changeResult(old, row, changes))
                  : undefined
              }
              onAdd={() => {
                setDraft(addResult)
                setSelected(rowKey(rows.length))
              }}
            />
          </Section>
          {isOpen && (
            <DecideReport
              jobId={job.id}
              draft={draft}
              isComplete={isComplete}
              doubt={comparison ? describePatientDoubt(comparison.match) : undefined}
              onDecided={() => setDraft(EMPTY_DRAFT)}
            />
          )}
        </div>
      )}
    </div>
  )
}

const titleOf = (count: number): string => (count === 1 ? '1 result' : `${count} results`)

function describeUnsure(unsure: ReadonlySet<string>, isOpen: boolean): string | undefined {
  const results = [...unsure].filter((owner) => owner.startsWith('results')).length
  if (results === 0 || !isOpen) return undefined
  return `${results === 1 ? 'One of them' : `${results} of them`} could not be read with certainty, or ${results === 1 ? 'has' : 'have'} a name that is not in the catalog.`
}

/** The size of pages until it is known: A4. */
const assumePages = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: index + 1, width: 595, height: 842 }))

function listBoxes(evidence: Evidence | null): PageBox[] {
  return (evidence?.fields ?? []).flatMap((field) => {
    const [owner] = /^(results\[\d+\]|metadata\..*)/.exec(field.field) ?? []
    // A heading belongs to all results below it.
    if (owner === undefined || field.field.endsWith('.source_panel_name')) return []
    return [{ owner, field, isUnsure: field.confidence < SURE }]
  })
}

const findPrintedRanges = (boxes: readonly PageBox[]): Map<string, string> =>
  new Map(
    boxes
      .filter(({ field }) => field.field.endsWith('.reference_range'))
      .map(({ owner, field }) => [owner, field.text]),
  )

const findUnsure = (boxes: readonly PageBox[]): Set<string> =>
  new Set(boxes.filter(({ isUnsure }) => isUnsure).map(({ owner }) => owner))

/** Corrections exist only in this page until they are approved. */
function useLeaveGuard(isDirty: boolean): void {
  useBlocker({
    shouldBlockFn: () => isDirty && !window.confirm('Leave without your corrections?'),
    enableBeforeUnload: () => isDirty,
  })
}
