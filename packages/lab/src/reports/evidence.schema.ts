import { TextEnum, Uuid } from '@salus/contracts/schema-types'
import { DOUBTS } from '@salus/lab-report-parser'
import Type from 'typebox'

const Fraction = Type.Number({ description: 'In parts of the page, from 0 to 1.' })

const EvidenceBox = Type.Object(
  { x: Fraction, y: Fraction, width: Fraction, height: Fraction },
  {
    title: 'EvidenceBox',
    description: 'Upright, around the polygon; the origin is the upper left corner.',
  },
)

const EvidencePoint = Type.Object({ x: Fraction, y: Fraction }, { title: 'EvidencePoint' })

export const FieldEvidence = Type.Object(
  {
    field: Type.String({
      description: 'As in `data`: `metadata.lab_name`, `results[0].value`.',
      examples: ['results[0].value'],
    }),
    text: Type.String({ description: 'As printed.' }),
    page: Type.Integer({ description: 'From 1.' }),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'That it is read and placed right.',
    }),
    doubts: Type.Array(TextEnum(DOUBTS), {
      description:
        'Why a value is not to be relied on without a look at the page; empty where it is sure, and for other fields.',
    }),
    box: EvidenceBox,
    polygon: Type.Array(EvidencePoint, {
      description: 'Four corners, from the upper left one of the text; askew on a photo.',
    }),
  },
  { title: 'FieldEvidence' },
)
export type FieldEvidence = Type.Static<typeof FieldEvidence>

export const EvidencePage = Type.Object(
  {
    number: Type.Integer(),
    width: Type.Number({ description: 'Points of a PDF, pixels of an image.' }),
    height: Type.Number(),
    source: Type.Unsafe<'text_layer' | 'recognized'>({
      type: 'string',
      enum: ['text_layer', 'recognized'],
      description: 'Whether the file says its text, or it was recognized in the picture.',
    }),
  },
  { title: 'EvidencePage' },
)

/** Kinds of stretches as the parser names them. */
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
    page: Type.Integer({ description: 'From 1.' }),
    kind: TextEnum(UNREAD_KINDS, { description: 'What the results stand in.' }),
  },
  {
    title: 'UnreadRegion',
    description: 'Results that are not in the reading, because it is not clear what they say.',
  },
)

export const LabReportEvidence = Type.Object(
  {
    job_id: Uuid,
    language: Type.String({ description: 'ISO 639-1.' }),
    pages: Type.Array(EvidencePage),
    fields: Type.Array(FieldEvidence),
    unread: Type.Array(UnreadRegion, {
      description: 'Where results stand that were not read; empty for most reports.',
    }),
  },
  { title: 'LabReportEvidence' },
)
export type LabReportEvidence = Type.Static<typeof LabReportEvidence>
