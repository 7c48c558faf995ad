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

export const renderAbn = async (input: AbnInput): Promise<Buffer> =>
  (await import('./render-abn.ts')).renderAbn(input)

export const renderCollectionInstructions = async (
  input: CollectionInstructionsInput,
): Promise<Buffer> =>
  (await import('./render-collection-instructions.ts')).renderCollectionInstructions(input)

export const renderLabels = async (input: LabelsInput): Promise<Buffer> =>
  (await import('./render-labels.ts')).renderLabels(input)

export const renderRequisition = async (input: RequisitionInput): Promise<Buffer> =>
  (await import('./render-requisition.ts')).renderRequisition(input)

export const renderResultReport = async (input: ResultReportInput): Promise<Buffer> =>
  (await import('./render-result-report.ts')).renderResultReport(input)
