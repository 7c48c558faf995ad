import { TextEnum, Uuid } from '@salus/contracts/schema-types'
import { DOUBTS } from '@salus/lab-report-parser'
import Type from 'typebox'

const Fraction = Type.Number({
  description: 'Fraction of the width or height of the page, from 0 to 1.',
})

const EvidenceBox = Type.Object(
  { x: Fraction, y: Fraction, width: Fraction, height: Fraction },
  {
    title: 'EvidenceBox',
    description:
      'Upright rectangle around the polygon. The origin is the upper left corner of the page.',
  },
)

const EvidencePoint = Type.Object({ x: Fraction, y: Fraction }, { title: 'EvidencePoint' })

export const FieldEvidence = Type.Object(
  {
    field: Type.String({
      description:
        'Path of the field in `data`, such as `metadata.lab_name` or `results[0].value`.',
      examples: ['results[0].value'],
    }),
    text: Type.String({ description: 'Text of the field as printed.' }),
    page: Type.Integer({ description: 'Number of the page, from 1.' }),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Probability that the text and its position are correct.',
    }),
    doubts: Type.Array(TextEnum(DOUBTS), {
      description:
        'Reasons to check the value against the page; empty for a value without doubts, and for other fields.',
    }),
    box: EvidenceBox,
    polygon: Type.Array(EvidencePoint, {
      description:
        'Four corners, starting at the upper left one of the text. They may be askew on a photo.',
    }),
  },
  { title: 'FieldEvidence' },
)
export type FieldEvidence = Type.Static<typeof FieldEvidence>

export const EvidencePage = Type.Object(
  {
    number: Type.Integer(),
    width: Type.Number({
      description: 'Width of the page: points for a PDF, pixels for an image.',
    }),
    height: Type.Number(),
    source: Type.Unsafe<'text_layer' | 'recognized'>({
      type: 'string',
      enum: ['text_layer', 'recognized'],
      description:
        'Source of the text: the text layer of the file, or text recognition in the image.',
    }),
  },
  { title: 'EvidencePage' },
)

/** Kinds of regions as the parser names them. */
const UNREAD_KINDS = [
  'cumulative_table',
  'transposed_table',
  'drug_screen',
  'allergy_panel',
  'antibiogram',
  'genotypes',
  'narrative',
] as const

export const UnreadRegion = Type.Object(
  {
    page: Type.Integer({ description: 'Number of the page, from 1.' }),
    kind: TextEnum(UNREAD_KINDS, {
      description: 'Kind of the table or text that contains the results.',
    }),
  },
  {
    title: 'UnreadRegion',
    description:
      'Region with results that are not in the reading because they could not be read reliably.',
  },
)

export const LabReportEvidence = Type.Object(
  {
    job_id: Uuid,
    language: Type.String({ description: 'Language of the report as an ISO 639-1 code.' }),
    pages: Type.Array(EvidencePage),
    fields: Type.Array(FieldEvidence),
    unread: Type.Array(UnreadRegion, {
      description: 'Regions with results that were not read; empty for most reports.',
    }),
  },
  { title: 'LabReportEvidence' },
)
export type LabReportEvidence = Type.Static<typeof LabReportEvidence>
