import {
  type Doubt,
  type Field,
  type LabReport,
  locateField,
  type ReportPage,
} from '@salus/lab-report-parser'
import type { FieldEvidence, LabReportEvidence } from './evidence.schema.ts'

/**
 * Returns the positions of the fields on the uploaded pages.
 * @param positions indexes of the shown results in the reading, in order; all results by default
 */
export function toEvidence(
  jobId: string,
  report: LabReport,
  positions: Iterable<number> = report.results.keys(),
): LabReportEvidence {
  const pages = new Map(report.pages.map((page) => [page.number, page]))
  return {
    job_id: jobId,
    language: report.language,
    pages: report.pages.map(({ number, sourceSize, source }) => ({
      number,
      ...sourceSize,
      source,
    })),
    fields: listFields(report, [...positions]).flatMap(([name, field, doubts = []]) => {
      const page = field === null ? undefined : pages.get(field.page)
      return field === null || page === undefined
        ? []
        : [{ ...toFieldEvidence(name, field, page), doubts }]
    }),
    unread: report.unread ?? [],
  }
}

type NamedField = [name: string, field: Field | null, doubts?: Doubt[]]

/** Returns the fields by their paths in the response. */
function listFields({ header, results }: LabReport, positions: readonly number[]): NamedField[] {
  return [
    ['metadata.patient_first_name', header.patientFirstName],
    ['metadata.patient_last_name', header.patientLastName],
    ['metadata.dob', header.dateOfBirth],
    ['metadata.gender', header.gender?.field ?? null],
    ['metadata.lab_name', header.labName],
    ['metadata.date_reported', header.dateReported],
    ['metadata.date_collected', header.dateCollected],
    ['metadata.specimen_number', header.specimenNumber],
    ...positions.flatMap((position, index): NamedField[] => {
      const result = results[position]
      // A result that a reviewer added has no position on a page.
      if (result === undefined) return []
      return [
        [`results[${index}].test_name`, result.name],
        // Older readings have no doubts.
        [`results[${index}].value`, result.value, result.doubts ?? []],
        [`results[${index}].units`, result.unit],
        [`results[${index}].reference_range`, result.range],
        [`results[${index}].interpretation`, result.flag],
        [`results[${index}].source_panel_name`, result.panel],
      ]
    }),
  ]
}

function toFieldEvidence(
  name: string,
  field: Field,
  page: ReportPage,
): Omit<FieldEvidence, 'doubts'> {
  const polygon = locateField(field, page)
  const xs = polygon.map(({ x }) => x)
  const ys = polygon.map(({ y }) => y)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  const box = {
    x,
    y,
    width: round(Math.max(...xs) - x),
    height: round(Math.max(...ys) - y),
  }
  const { text, page: number, confidence } = field
  return { field: name, text, page: number, confidence, box, polygon }
}

/** Rounds off the error of adding fractions. */
const round = (share: number): number => Math.round(share * 100_000) / 100_000
