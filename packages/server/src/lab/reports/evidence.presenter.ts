import type { Field, LabReport, ReportPage } from '@salus/lab-report-parser'
import type { FieldEvidence, LabReportEvidence } from './evidence.schema.ts'

/** Where everything that was read stands on the pages as they were uploaded. */
export function toEvidence(jobId: string, report: LabReport): LabReportEvidence {
  const pages = new Map(report.pages.map((page) => [page.number, page]))
  return {
    job_id: jobId,
    language: report.language,
    pages: report.pages.map(({ number, sourceSize, source }) => ({
      number,
      ...sourceSize,
      source,
    })),
    fields: listFields(report).flatMap(([name, field]) => {
      const page = field === null ? undefined : pages.get(field.page)
      return field === null || page === undefined ? [] : [toFieldEvidence(name, field, page)]
    }),
  }
}

/** Fields by their names in the answer. */
function listFields({ header, results }: LabReport): [name: string, field: Field | null][] {
  return [
    ['metadata.patient_first_name', header.patientFirstName],
    ['metadata.patient_last_name', header.patientLastName],
    ['metadata.dob', header.dateOfBirth],
    ['metadata.gender', header.gender?.field ?? null],
    ['metadata.lab_name', header.labName],
    ['metadata.date_reported', header.dateReported],
    ['metadata.date_collected', header.dateCollected],
    ['metadata.specimen_number', header.specimenNumber],
    ...results.flatMap((result, index): [string, Field | null][] => [
      [`results[${index}].test_name`, result.name],
      [`results[${index}].value`, result.value],
      [`results[${index}].units`, result.unit],
      [`results[${index}].reference_range`, result.range],
      [`results[${index}].interpretation`, result.flag],
      [`results[${index}].source_panel_name`, result.panel],
    ]),
  ]
}

function toFieldEvidence(name: string, field: Field, page: ReportPage): FieldEvidence {
  const polygon = cornersOf(field.box).map(([x, y]) => {
    const point = page.toSource === null ? { x, y } : project(page.toSource, x, y)
    return {
      x: toFraction(point.x / page.sourceSize.width),
      y: toFraction(point.y / page.sourceSize.height),
    }
  })
  const xs = polygon.map(({ x }) => x)
  const ys = polygon.map(({ y }) => y)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  const box = {
    x,
    y,
    width: toFraction(Math.max(...xs) - x),
    height: toFraction(Math.max(...ys) - y),
  }
  const { text, page: number, confidence } = field
  return { field: name, text, page: number, confidence, box, polygon }
}

const cornersOf = ({ x, y, width, height }: Field['box']): [number, number][] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
]

function project(
  [a, b, c, d, e, f, g, h, i]: NonNullable<ReportPage['toSource']>,
  x: number,
  y: number,
) {
  const w = g * x + h * y + i
  return { x: (a * x + b * y + c) / w, y: (d * x + e * y + f) / w }
}

/** Within the page, to a hundredth of a thousandth: finer than a pixel of a large photo is not known. */
const toFraction = (share: number): number =>
  Math.round(Math.min(1, Math.max(0, share)) * 100_000) / 100_000
