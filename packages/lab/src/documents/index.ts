import type {
  AbnInput,
  CollectionInstructionsInput,
  LabelsInput,
  RequisitionInput,
  ResultReportInput,
} from './document-inputs.ts'

export type * from './document-inputs.ts'
export { joinPdfs, UnreadablePdf } from './join-pdfs.ts'
export { readSignatureImage } from './signature-image.ts'

// Each is loaded with its first document: what writes pages, typefaces and barcodes takes 30 MB.

/** A notice, before collection, that an insurer may not pay for tests, as PDF. */
export const renderAbn = async (input: AbnInput): Promise<Buffer> =>
  (await import('./render-abn.ts')).renderAbn(input)

/** What the patient does before, during and after the collection, as PDF. */
export const renderCollectionInstructions = async (
  input: CollectionInstructionsInput,
): Promise<Buffer> =>
  (await import('./render-collection-instructions.ts')).renderCollectionInstructions(input)

/** Labels for tubes, one a page, as PDF. */
export const renderLabels = async (input: LabelsInput): Promise<Buffer> =>
  (await import('./render-labels.ts')).renderLabels(input)

/** A requisition on US letter, as PDF. */
export const renderRequisition = async (input: RequisitionInput): Promise<Buffer> =>
  (await import('./render-requisition.ts')).renderRequisition(input)

/** A laboratory's report of one specimen, as PDF; times are at the offsets of the report. */
export const renderResultReport = async (input: ResultReportInput): Promise<Buffer> =>
  (await import('./render-result-report.ts')).renderResultReport(input)
